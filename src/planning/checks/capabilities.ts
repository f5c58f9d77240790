// Check 3: every called capability exists and is granted here.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { likelyHint } from '../../goals/match/likely-names.ts';
import { eachWork } from '../../template/check/paths.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Frame } from '../frame.ts';
import type { Check } from './check.ts';

export const checkCapabilities: Check = ({ fragment: { steps }, frame }) =>
  eachWork({ steps }, (step, path) =>
    callsOf(step).flatMap(({ capability, at }) => judge(step.name, capability, [...path, ...at], frame)),
  );

function callsOf({ capability, planning }: StepSpec): { capability: string; at: readonly PathPart[] }[] {
  const planner = planning?.planner;
  return [
    ...(capability === undefined ? [] : [{ capability, at: ['handler'] }]),
    ...(planner?.kind === 'capability' ? [{ capability: planner.name, at: ['planner', 'name'] }] : []),
  ];
}

function judge(
  step: string,
  capability: string,
  path: readonly PathPart[],
  { declarations, denied, ruledOut }: Frame,
): readonly Issue[] {
  if (Object.hasOwn(declarations, capability) || ruledOut?.has(capability)) return [];
  const granted = Object.keys(declarations);
  if (denied?.has(capability)) {
    return [
      issue(
        'FRAGMENT_CAPABILITY_DENIED',
        `step "${step}" calls "${capability}", which is not granted to this planner`,
        {
          path,
          hint: instead(capability, granted),
        },
      ),
    ];
  }
  return [
    issue('FRAGMENT_UNKNOWN_CAPABILITY', `step "${step}" calls "${capability}", and there is no such capability`, {
      path,
      hint: likelyHint(capability, Object.values(declarations)) ?? instead(capability, granted),
    }),
  ];
}

const SHOWN = 8;

/** Lists granted capabilities of the same family, or else the first few. */
function instead(capability: string, granted: readonly string[]): string {
  if (granted.length === 0) return 'answer with compute and planning steps only: no capability is granted here';
  const family = `${capability.split('.')[0] ?? ''}.`;
  const related = granted.filter((name) => name.startsWith(family));
  const shown = (related.length === 0 ? granted : related).toSorted().slice(0, SHOWN);
  return `choose from ${shown.join(', ')}${shown.length < granted.length ? ', …' : ''}`;
}
