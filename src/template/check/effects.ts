// No step calls or plans with a capability that does what the effects policy denies.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import type { Effect } from '../../contract/declaration.ts';
import { approvalFor, type EffectsPolicy } from '../../contract/effects-policy.ts';
import type { Scope } from '../scope.ts';
import { eachWork } from './paths.ts';

export function checkEffects(scope: Scope, policy: EffectsPolicy | undefined): readonly Issue[] {
  if (policy === undefined) return [];
  return eachWork(scope, ({ capability, planning }, at) => [
    ...unlessDenied(capability, scope, policy, [...at, 'handler']),
    ...(planning?.planner?.kind === 'capability'
      ? unlessDenied(planning.planner.name, scope, policy, [...at, 'planner', 'name'])
      : []),
  ]);
}

function unlessDenied(
  name: string | undefined,
  { declarations }: Scope,
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
  return issue('EFFECT_DENIED', `"${name}" has the effect ${effects.join(' and ')}, which "effects.denied" rules out`, {
    path,
    hint: 'call something else; a template permits it by taking the effect out of effects.denied',
  });
}
