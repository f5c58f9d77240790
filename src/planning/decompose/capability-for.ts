// Which of the granted capabilities a task calls.
import type { CapabilityLine } from '../capability-lines.ts';
import { type Candidate, rankCapabilities } from '../resolve/rank.ts';
import type { Task } from './task.ts';

export type Found =
  | { readonly kind: 'one'; readonly capability: CapabilityLine }
  /** None of them is ahead of the others: a person says which. */
  | { readonly kind: 'several'; readonly names: readonly string[] }
  | { readonly kind: 'none'; readonly nearest: readonly string[] };

const NEAR = 0.1;
const SHOWN = 3;

/** The first that it names outright, else what serves its words best. */
export function capabilityFor(task: Task, capabilities: readonly CapabilityLine[]): Found {
  const named = namedBy(task, capabilities);
  if (named !== undefined) return { kind: 'one', capability: named };
  const declared = capabilities.map((each) => ({ ...each, tags: [], cost: {} }));
  const { verdict, candidates } = rankCapabilities(task.description, declared);
  const [first] = candidates;
  const best = capabilities.find(({ name }) => name === first?.name);
  if (first === undefined || best === undefined || verdict === 'rejected')
    return { kind: 'none', nearest: nearest(candidates) };
  if (verdict === 'accepted') return { kind: 'one', capability: best };
  return {
    kind: 'several',
    names: candidates.filter(({ score }) => first.score - score < NEAR).map(({ name }) => name),
  };
}

export function namedBy({ names }: Task, capabilities: readonly CapabilityLine[]): CapabilityLine | undefined {
  const [name] = names;
  return capabilities.find((each) => each.name === name);
}

function nearest(candidates: readonly Candidate[]): readonly string[] {
  return candidates
    .filter(({ score }) => score > 0)
    .slice(0, SHOWN)
    .map(({ name }) => name);
}
