// Finding: many parallel steps have results that no step gathers.
import { issue } from '../../base/issue.ts';
import type { Check } from '../checks/check.ts';
import type { Wiring } from '../wiring.ts';
import { bringsResult, gathersResults } from './results-used.ts';

const MANY = 3;

export const missingGate: Check = ({ fragment: { steps }, frame, wiring }) => {
  if (frame.gathers === true) return [];
  const levels = new Map<number, string[]>();
  for (const step of steps) {
    const depth = wiring.depth.get(step.name);
    if (depth === undefined || !bringsResult(step, frame) || isGathered(step.name, wiring)) continue;
    levels.set(depth, [...(levels.get(depth) ?? []), step.name]);
  }
  return [...levels.values()]
    .filter((names) => names.length >= MANY)
    .map((names) =>
      issue('CRITIC_MISSING_GATE', `no step combines the results of these ${names.length} parallel steps`, {
        severity: 'warning',
        path: ['steps', steps.findIndex(({ name }) => name === names[0])],
        hint: `add a synthesis_gate that depends on ${names.slice(0, MANY).join(', ')}${names.length > MANY ? ', …' : ''}, and let later steps depend on it`,
      }),
    );
};

function isGathered(name: string, { byName, dependents }: Wiring): boolean {
  const seen = new Set([name]);
  for (const each of seen) {
    for (const dependent of dependents.get(each) ?? []) {
      const step = byName.get(dependent);
      if (step !== undefined && gathersResults(step)) return true;
      seen.add(dependent);
    }
  }
  return false;
}
