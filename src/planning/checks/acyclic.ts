// Check 5: no step of the fragment waits for itself by way of others.
import { issue } from '../../base/issue.ts';
import { findCycle } from '../../graph/cycle.ts';
import { dependencyPath } from '../../template/check/paths.ts';
import type { Check } from '../verdict.ts';

export const checkAcyclic: Check = ({ fragment: { steps }, wiring: { byName, inner, depth } }) => {
  if (depth.size === byName.size) return [];
  const waitsFor = (name: string) => inner.get(name)?.filter((each) => each !== name) ?? [];
  const cycle = findCycle([...byName.keys()], waitsFor);
  const [from, to] = cycle ?? [];
  const holder = from === undefined ? undefined : byName.get(from);
  if (cycle === undefined || holder === undefined || to === undefined) return [];
  return [
    issue('GRAFT_CYCLE', `steps wait for each other: ${cycle.join(' waits for ')}`, {
      path: dependencyPath(holder, ['steps', steps.indexOf(holder)], to),
      hint: 'take one of these dependencies out, or the reference that implies it',
    }),
  ];
};
