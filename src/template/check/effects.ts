// Checks that steps call and plan with no capability whose effects are denied.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import type { Effect } from '../../contract/declaration.ts';
import { approvalFor, type EffectsPolicy, joined, onlyWith } from '../../contract/effects-policy.ts';
import type { Scope } from '../scope.ts';
import type { StepSpec } from '../step-spec.ts';
import { eachWork } from './paths.ts';

/** Checks each step against the policy and against its own `effects`. */
export function checkEffects(
  scope: Pick<Scope, 'steps' | 'declarations'>,
  policy: EffectsPolicy | undefined,
): readonly Issue[] {
  return eachWork(scope, (step, at) => checkEffectsOf(step, at, scope, policy));
}

export function checkEffectsOf(
  { capability, planning, effects }: StepSpec,
  at: readonly PathPart[],
  scope: Pick<Scope, 'declarations'>,
  policy: EffectsPolicy | undefined,
): readonly Issue[] {
  const holds = joined(policy, onlyWith(effects));
  if (holds === undefined) return [];
  const planner = planning?.planner?.kind === 'capability' ? planning.planner.name : undefined;
  return [
    ...unlessDenied(capability, scope, holds, [...at, 'handler']),
    ...unlessDenied(planner, scope, holds, [...at, 'planner', 'name']),
  ];
}

function unlessDenied(
  name: string | undefined,
  { declarations }: Pick<Scope, 'declarations'>,
  policy: EffectsPolicy,
  path: readonly PathPart[],
): readonly Issue[] {
  if (name === undefined || !Object.hasOwn(declarations, name)) return [];
  const declaration = declarations[name];
  if (declaration === undefined) return [];
  const approval = approvalFor(declaration, policy, 'authored');
  return approval.verdict === 'denied' ? [deniedIssue(name, approval.effects, path)] : [];
}

export function deniedIssue(name: string, effects: readonly Effect[], path: readonly PathPart[]): Issue {
  return issue('EFFECT_DENIED', `"${name}" has the effect ${effects.join(' and ')}, which "effects" forbids here`, {
    path,
    hint: 'call another capability, remove the effect from effects.denied, or add it to the effects of the step',
  });
}
