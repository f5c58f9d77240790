// Check 9: the effects of every called capability are allowed here.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { approvalFor } from '../../contract/effects-policy.ts';
import { deniedIssue, checkEffects as withinOwnWord } from '../../template/check/effects.ts';
import { eachWork } from '../../template/check/paths.ts';
import type { Frame } from '../frame.ts';
import type { Check } from './check.ts';

export const checkEffects: Check = ({ fragment: { steps }, frame }) => [
  ...withinOwnWord({ steps, declarations: frame.declarations }, undefined),
  ...eachWork({ steps }, ({ name, capability, planning }, at) => {
    const planner = planning?.planner?.kind === 'capability' ? planning.planner.name : undefined;
    return [
      ...unlessRuledOut(capability, [...at, 'handler'], frame),
      ...unlessRuledOut(planner, [...at, 'planner', 'name'], frame),
      ...unlessFree(name, planner, [...at, 'planner', 'name'], frame),
    ];
  }),
];

function unlessRuledOut(name: string | undefined, path: readonly PathPart[], { ruledOut }: Frame): readonly Issue[] {
  const effects = ruledOut?.get(name ?? '');
  return name === undefined || effects === undefined ? [] : [deniedIssue(name, effects, path)];
}

/** Refuses planners with effects that need approval: a planner is called repeatedly without asking anyone. */
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
