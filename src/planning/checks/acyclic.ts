// Check 5: the fragment has no dependency cycle.
import { type Issue, issue } from '../../base/issue.ts';
import { findCycle } from '../../graph/cycle.ts';
import { dependencyPath } from '../../template/check/paths.ts';
import type { Check } from './check.ts';

export const checkAcyclic: Check = ({ fragment: { steps }, wiring: { byName, inner, depth } }) => {
  const waitsFor = (name: string) => inner.get(name)?.filter((each) => each !== name) ?? [];
  const issues: Issue[] = [];
  // A step with a depth is on no cycle. When cycles share a step, one is reported, because fixing it may fix the others.
  const left = new Set([...byName.keys()].filter((name) => !depth.has(name)));
  for (let cycle = findCycle([...left], waitsFor); cycle !== undefined; cycle = findCycle([...left], waitsFor)) {
    for (const name of cycle) left.delete(name);
    const [from = '', to = ''] = cycle;
    const holder = byName.get(from);
    if (holder === undefined) break;
    issues.push(
      issue('GRAFT_CYCLE', `steps wait for each other: ${cycle.join(' waits for ')}`, {
        path: dependencyPath(holder, ['steps', steps.indexOf(holder)], to),
        hint: 'take one of these dependencies out, or the reference that implies it',
      }),
    );
  }
  return issues;
};
