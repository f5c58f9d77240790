// The place where a run is at work, in words: `Working on phase 1 of 6: orders`.
import type { RunView } from '../../engine/state/run-view.ts';
import { type PhaseTree, type ShownPhase, topPhaseOf } from '../phases/phase-tree.ts';
import { localName } from '../status.ts';

/** Undefined when no step is at work, about to try again or ready. */
export function placeAtWork(state: RunView, tree: PhaseTree): string | undefined {
  if (state.running.size > 0) return workText(state, tree, [...state.running]);
  const [retried] = state.retrying;
  if (retried !== undefined) return `About to try ${localName(retried)} again`;
  const [ready] = state.ready;
  return ready === undefined ? undefined : `About to begin ${localName(ready)}`;
}

function workText(state: RunView, tree: PhaseTree, running: readonly string[]): string {
  const tops = new Set(running.map((step) => topPhaseOf(tree, step)));
  const phases = [...tops]
    .flatMap((key) => (key === undefined ? [] : (tree.phases.get(key) ?? [])))
    .sort((one, other) => (one.number ?? 0) - (other.number ?? 0));
  const [first, second] = phases;
  if (first === undefined) return `Working on ${namesText(running)}`;
  const count = tree.chain.filter((part) => 'phase' in part).length;
  if (phases.length > 2) return `Working on ${phases.length} of ${count} phases`;
  if (second !== undefined)
    return `Working on phases ${first.number} and ${second.number} of ${count}: ${first.title} and ${second.title}`;
  return `${verbFor(state, first, running)} ${phaseText(first, count)}`;
}

/** `phase 1 of 6: orders` */
function phaseText({ number, title }: ShownPhase, count: number): string {
  return count === 1 ? `the phase ${title}` : `phase ${number} of ${count}: ${title}`;
}

function verbFor(state: RunView, phase: ShownPhase, running: readonly string[]): string {
  const own = running.filter((step) => phase.all.includes(step));
  if (own.every((step) => state.steps.get(step)?.repairs !== undefined)) return 'Replanning';
  return own.length === 1 && own[0] === phase.planner && phase.kind === 'phase' ? 'Planning' : 'Working on';
}

/** `ingest`, `ingest and check`, `ingest and 3 more steps` */
function namesText(steps: readonly string[]): string {
  const [first = '', ...others] = steps.map(localName);
  if (others.length === 0) return first;
  return others.length === 1 ? `${first} and ${others[0]}` : `${first} and ${others.length} more steps`;
}
