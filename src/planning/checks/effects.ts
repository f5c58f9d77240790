// Check 9: what a step calls may do what it does here, and may safely be called again after a crash.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { isMutating } from '../../contract/declaration.ts';
import { approvalFor } from '../../contract/effects-policy.ts';
import { deniedIssue, checkEffects as withinOwnWord } from '../../template/check/effects.ts';
import { eachWork } from '../../template/check/paths.ts';
import type { Frame } from '../frame.ts';
import type { Check } from '../verdict.ts';

/** One step calls one capability, so at most one thing is changed by it. */
export const checkEffects: Check = ({ fragment: { steps }, frame }) => [
  ...withinOwnWord({ steps, declarations: frame.declarations }, undefined),
  ...eachWork({ steps }, ({ name, capability, planning }, at) => {
    const planner = planning?.planner?.kind === 'capability' ? planning.planner.name : undefined;
    return [
      ...unlessRuledOut(capability, [...at, 'handler'], frame),
      ...unlessRuledOut(planner, [...at, 'planner', 'name'], frame),
      ...unlessRepeatable(name, capability, [...at, 'handler'], frame),
      ...unlessFree(name, planner, [...at, 'planner', 'name'], frame),
    ];
  }),
];

function unlessRuledOut(name: string | undefined, path: readonly PathPart[], { ruledOut }: Frame): readonly Issue[] {
  const effects = ruledOut?.get(name ?? '');
  return name === undefined || effects === undefined ? [] : [deniedIssue(name, effects, path)];
}

function unlessRepeatable(
  step: string,
  capability: string | undefined,
  path: readonly PathPart[],
  { declarations }: Frame,
): readonly Issue[] {
  if (capability === undefined || !Object.hasOwn(declarations, capability)) return [];
  const declaration = declarations[capability];
  if (declaration === undefined || !isMutating(declaration) || declaration.repeat !== undefined) return [];
  return [
    issue(
      'EFFECT_NOT_REPEATABLE',
      `step "${step}" calls "${capability}", which changes something and does not say that it can be repeated`,
      { path, hint: 'use another capability; its author may declare `repeat: keyed` or `repeat: safe`' },
    ),
  ];
}

/** Nobody is asked about a planner, which is called again and again. */
function unlessFree(
  step: string,
  planner: string | undefined,
  path: readonly PathPart[],
  { declarations, effects }: Frame,
): readonly Issue[] {
  if (planner === undefined || !Object.hasOwn(declarations, planner)) return [];
  const declaration = declarations[planner];
  const approval = declaration === undefined ? undefined : approvalFor(declaration, effects, 'grafted');
  if (approval?.verdict !== 'ask') return [];
  const message = `step "${step}" plans with "${planner}", whose effect ${approval.effects.join(' and ')} needs approval`;
  return [issue('EFFECT_NOT_APPROVED', message, { path, hint: 'plan with something that changes nothing' })];
}
