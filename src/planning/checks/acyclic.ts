// Check 5: no step of the fragment waits for itself, by whatever way round.
import { issue } from '../../base/issue.ts';
import { findCycle } from '../../graph/cycle.ts';
import type { Check } from '../verdict.ts';
import { wiringOf } from '../wiring.ts';

export const checkAcyclic: Check = ({ steps }) => {
  const { inner } = wiringOf(steps);
  // Walked against the edges, so the walk is turned round to name each step before the one that waits for it.
  const cycle = findCycle([...inner.keys()], (name) => inner.get(name) ?? [])?.toReversed();
  if (cycle === undefined) return [];
  const [first] = cycle;
  return [
    issue('GRAFT_CYCLE', `steps wait for each other: ${cycle.join(' → ')}`, {
      path: ['steps', steps.findIndex(({ name }) => name === first), 'dependencies'],
      hint: 'remove one of these dependencies, or the reference that implies it',
    }),
  ];
};
