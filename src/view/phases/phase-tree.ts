// The phases of a run as people see them: a chain of phases and single steps, with nested phases and replans inside.
import { defined } from '../../base/json.ts';
import type { RunView, StepView } from '../../engine/state/run-view.ts';
import { successors } from '../../graph/plan-graph.ts';
import { localName } from '../status.ts';
import { addCounts, countStatuses, type StatusCounts } from './shown-status.ts';

/**
 * A planning step with the steps that it planned, a replan with its steps, or a fan-out with its items. A top-level
 * planning step is a phase before it has planned; a nested one becomes a phase when its plan is grafted or replanned.
 */
export interface ShownPhase {
  /** The planning step, or the fan-out; the key of the phase. */
  readonly planner: string;
  readonly kind: 'phase' | 'replan' | 'items';
  /** For phases of the chain: 1, 2, … in its order. */
  readonly number?: number;
  /** `orders` of `plan_orders`; `replan`, `replan 2`; the fan-out's name. */
  readonly title: string;
  /** The phase around it; for a replan the phase that it mends. */
  readonly within?: string;
  /** For a replan: the failed steps that it replaces; empty if the whole phase failed. */
  readonly replans?: readonly string[];
  /** Own steps in order, without those of nested phases. Planners of nested phases are among them. */
  readonly steps: readonly string[];
  /** Keys of the phases inside, replans excluded. */
  readonly nested: readonly string[];
  /** Keys of the replans of this phase. */
  readonly replansOf: readonly string[];
  /** All steps of the phase: its planner, its own steps, and those of nested phases and replans. */
  readonly all: readonly string[];
  readonly counts: StatusCounts;
}

type ChainPart = { readonly phase: string } | { readonly steps: readonly string[] };

export interface PhaseTree {
  readonly phases: ReadonlyMap<string, ShownPhase>;
  /** Top-level phases and single steps, each behind the ones it depends on. */
  readonly chain: readonly ChainPart[];
  /** The innermost phase of each step. The planner of a phase in the chain, and of a replan, is in its own phase. */
  readonly phaseOf: ReadonlyMap<string, string>;
}

/** A phase while the tree is built. */
interface PhaseDraft {
  readonly planner: StepView;
  readonly kind: ShownPhase['kind'];
  readonly within: string | undefined;
  readonly steps: readonly string[];
  readonly nested: string[];
  readonly replans: string[];
}

export function phaseTree(state: RunView): PhaseTree {
  const drafts = draftsOf(state);
  const phaseOf = new Map<string, string>();
  for (const [key, { steps, kind, within }] of drafts) {
    if (within === undefined || kind === 'replan') phaseOf.set(key, key);
    for (const step of steps) if (drafts.get(step)?.kind !== 'replan') phaseOf.set(step, key);
  }
  for (const [key, { kind, within }] of drafts) {
    const around = within === undefined ? undefined : drafts.get(within);
    if (kind === 'replan') around?.replans.push(key);
    else around?.nested.push(key);
  }
  const parts = chainParts(state, drafts, phaseOf);
  const numbers = new Map(parts.filter((id) => drafts.has(id)).map((id, index) => [id, index + 1]));
  const finished = new Map<string, ShownPhase>();
  const phases = new Map(
    [...drafts.keys()].flatMap((key) => {
      const phase = finish(state, drafts, numbers, finished, key);
      return phase === undefined ? [] : [[key, phase] as const];
    }),
  );
  return { phases, chain: groupedChain(parts, drafts), phaseOf };
}

/** The top-level phase of a step, or undefined for a single step. */
export function topPhaseOf({ phases, phaseOf }: PhaseTree, step: string): string | undefined {
  let key = phaseOf.get(step);
  for (let around = key; around !== undefined; around = phases.get(around)?.within) key = around;
  return key;
}

function draftsOf(state: RunView): ReadonlyMap<string, PhaseDraft> {
  const mended = new Set([...state.steps.values()].map(({ repairs }) => repairs?.planner));
  const drafts = new Map<string, PhaseDraft>();
  const add = (planner: StepView, kind: ShownPhase['kind'], within: string | undefined, steps: readonly string[]) =>
    drafts.set(planner.id, { planner, kind, within, steps, nested: [], replans: [] });
  for (const step of state.steps.values()) {
    const { id, spec, repairs, provenance, item, expanded = [] } = step;
    const within = item?.of ?? provenance?.planner;
    if (repairs !== undefined) add(step, 'replan', repairs.planner, state.phases.get(id)?.steps ?? []);
    else if (spec.type === 'planning') {
      const planned = state.phases.get(id)?.steps;
      if (planned !== undefined || within === undefined || mended.has(id)) add(step, 'phase', within, planned ?? []);
    } else if (expanded.length > 0) add(step, 'items', within, expanded);
  }
  return drafts;
}

/** Top-level steps and phases in the order of the chain. */
function chainParts(
  state: RunView,
  drafts: ReadonlyMap<string, PhaseDraft>,
  phaseOf: ReadonlyMap<string, string>,
): readonly string[] {
  const partOf = (step: string): string => {
    let part = phaseOf.get(step) ?? step;
    for (let around = drafts.get(part)?.within; around !== undefined; around = drafts.get(part)?.within) part = around;
    return part;
  };
  const after = new Map<string, Set<string>>();
  for (const id of state.steps.keys()) {
    const from = partOf(id);
    const found = after.get(from) ?? new Set();
    after.set(from, found);
    for (const next of successors(state.graph, id)) {
      const to = partOf(next);
      if (to !== from) found.add(to);
    }
  }
  const parts = [...after.keys()];
  const generations = generationsOf(after);
  return parts.toSorted((a, b) => (generations.get(a) ?? parts.length) - (generations.get(b) ?? parts.length));
}

/**
 * The longest way to each part from the beginning. Parts on a circle have none: a planned step may depend on a step
 * that depends on its planner. `graph/generations.ts` does the same with a library that the page loads later.
 */
function generationsOf(after: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, number> {
  const open = new Map([...after.keys()].map((part) => [part, 0]));
  for (const nexts of after.values()) for (const next of nexts) open.set(next, (open.get(next) ?? 0) + 1);
  const generations = new Map([...open].filter(([, count]) => count === 0).map(([part]) => [part, 0]));
  for (const [part, generation] of generations)
    for (const next of after.get(part) ?? []) {
      const left = (open.get(next) ?? 0) - 1;
      open.set(next, left);
      // Maps are walked in the order of insertion, so a part is added behind the last of its dependencies.
      if (left === 0) generations.set(next, generation + 1);
    }
  return generations;
}

function groupedChain(parts: readonly string[], drafts: ReadonlyMap<string, PhaseDraft>): readonly ChainPart[] {
  const chain: ({ phase: string } | { steps: string[] })[] = [];
  for (const part of parts) {
    const last = chain.at(-1);
    if (drafts.has(part)) chain.push({ phase: part });
    else if (last !== undefined && 'steps' in last) last.steps.push(part);
    else chain.push({ steps: [part] });
  }
  return chain;
}

/** Finishes the phases inside first, because their steps count for the phases around them. */
function finish(
  state: RunView,
  drafts: ReadonlyMap<string, PhaseDraft>,
  numbers: ReadonlyMap<string, number>,
  phases: Map<string, ShownPhase>,
  key: string,
): ShownPhase | undefined {
  const draft = drafts.get(key);
  const ready = phases.get(key);
  if (ready !== undefined || draft === undefined) return ready;
  const { planner, kind, within, steps, nested, replans } = draft;
  const inside = [...nested, ...replans].flatMap((each) => finish(state, drafts, numbers, phases, each) ?? []);
  const known = new Set(inside.flatMap(({ all }) => all));
  const own = [key, ...steps].filter((id) => !known.has(id));
  const phase: ShownPhase = {
    planner: key,
    kind,
    ...defined({ number: numbers.get(key) }),
    title: titleOf(planner, within === undefined ? undefined : drafts.get(within)?.planner),
    ...defined({ within, replans: planner.repairs?.failing }),
    steps,
    nested,
    replansOf: replans,
    all: [...own, ...known],
    counts: addCounts([countStatuses(state, own), ...inside.map(({ counts }) => counts)]),
  };
  phases.set(key, phase);
  return phase;
}

/** A nested phase does not repeat the words of the phase around it. */
function titleOf({ id, repairs }: StepView, around: StepView | undefined): string {
  if (repairs !== undefined) return repairs.trial > 1 ? `replan ${repairs.trial}` : 'replan';
  const words = wordsOf(id);
  const outer = around === undefined || around.repairs !== undefined ? [] : wordsOf(around.id);
  const own = words.filter((word) => !outer.includes(word));
  return (own.length === 0 ? words : own).join(' ');
}

function wordsOf(id: string): readonly string[] {
  const name = localName(id);
  const short = name.replace(/^plan[_-](?:\d+[_-])?/, '');
  return (short === '' ? name : short).split(/[_-]+/).filter((word) => word !== '');
}
