// Checks that dependencies have no cycle.
import { type Issue, issue } from '../../base/issue.ts';
import { findCycle } from '../../graph/cycle.ts';
import type { Scope } from '../scope.ts';
import { dependencyPath } from './paths.ts';

/** Reports one cycle, and the reference that implies one of its edges if there is any. */
export function checkCycles(scope: Scope): readonly Issue[] {
  const byName = new Map(scope.steps.map((step, index) => [step.name, { step, index }] as const));
  const waitsFor = (name: string) => byName.get(name)?.step.dependencies.filter((each) => each !== name) ?? [];
  const cycle = findCycle([...byName.keys()], waitsFor);
  if (cycle === undefined) return [];
  const edges = cycle.slice(0, -1).map((from, index) => ({ from, to: cycle[index + 1] ?? from }));
  const implied = edges.find(({ from, to }) => byName.get(from)?.step.implied.includes(to));
  const shown = implied ?? edges[0];
  const holder = byName.get(shown?.from ?? '');
  const path = holder === undefined ? [] : dependencyPath(holder.step, ['steps', holder.index], shown?.to ?? '');
  const walk = cycle.join(' waits for ');
  if (implied === undefined) {
    return [
      issue('DEPENDENCY_CYCLE', `steps wait for each other: ${walk}`, {
        path,
        hint: 'remove one of these dependencies',
      }),
    ];
  }
  const hint = `"${implied.from}" waits for "${implied.to}" because it refers to its result`;
  return [issue('REFERENCE_CYCLE', `a reference closes a cycle: ${walk}`, { path, hint })];
}
