// Places the steps of a phase that has nested phases: these stand in lanes below the rows, between planner and target.
import type { PhaseTree, ShownPhase } from '../../phases/phase-tree.ts';
import { GAP, type PhasePlan, STEP } from './footprint.ts';
import { inOrder, type NeedsOf, type RowPlan } from './row-plan.ts';

/** A nested phase with its planner before it and its target behind it; or items with their fan-out behind them. */
interface Compound {
  readonly key: string;
  readonly planner: string | undefined;
  readonly target: string | undefined;
}

export interface Lane {
  readonly frames: { readonly plan: PhasePlan; readonly x: number }[];
  readonly steps: { readonly id: string; readonly x: number }[];
  right: number;
}

/** The distance between a nested phase and its planner and target. */
const BESIDE = 16;

/** The compounds of a phase, by their planners and by their targets. */
export function compoundsOf({ phases }: PhaseTree, phase: ShownPhase, needsOf: NeedsOf): readonly Compound[] {
  const own = new Set(phase.steps);
  const used = new Set<string>();
  return phase.nested.flatMap((key): Compound[] => {
    const nested = phases.get(key);
    if (nested === undefined || !own.has(key)) return [];
    if (nested.kind === 'items') return [{ key, planner: undefined, target: key }];
    // The target waits for the planner itself, and for the last steps of its plan.
    const inside = new Set(nested.all);
    const target = phase.steps.find((id) => {
      const needs = needsOf(id);
      const isFree = needs.includes(key) && !used.has(id) && !phase.nested.includes(id);
      return isFree && needs.some((need) => need !== key && inside.has(need));
    });
    if (target !== undefined) used.add(target);
    return [{ key, planner: key, target }];
  });
}

/** Each step begins where its dependencies end; a lane begins at the left unless it goes on behind another lane. */
export function planLanes(
  phase: ShownPhase,
  compounds: readonly Compound[],
  needsOf: NeedsOf,
  frameOf: (key: string) => PhasePlan,
): { readonly rows: RowPlan; readonly lanes: readonly Lane[] } {
  const byPlanner = new Map(compounds.flatMap((each) => (each.planner === undefined ? [] : [[each.planner, each]])));
  const byTarget = new Map(compounds.flatMap((each) => (each.target === undefined ? [] : [[each.target, each]])));
  const book = createLaneBook(needsOf);
  for (const id of inOrder(phase.steps, needsOf)) {
    const begins = byPlanner.get(id);
    const ends = byTarget.get(id);
    if (begins !== undefined) book.begin(id, frameOf(begins.key));
    else if (ends !== undefined && ends.planner === undefined) book.putItems(id, frameOf(ends.key));
    else if (ends?.planner === undefined) book.put(id);
    else book.end(id, ends.planner);
  }
  return book.plan();
}

/** Books which step stands where, while the steps are placed one after the other. */
function createLaneBook(needsOf: NeedsOf) {
  const right = new Map<string, number>();
  const laneOf = new Map<string, Lane>();
  const lanes: Lane[] = [];
  const places = new Map<string, { x: number; row: number }>();
  const taken = new Map<number, { from: number; to: number }[]>();
  let rows = 0;

  const startOf = (needs: readonly string[]): number =>
    Math.max(0, ...needs.flatMap((need) => (right.has(need) ? [(right.get(need) ?? 0) + GAP.x] : [])));
  const isFree = (row: number, x: number): boolean =>
    (taken.get(row) ?? []).every(({ from, to }) => x >= to + GAP.x || x + STEP.width + GAP.x <= from);

  function laneFor(id: string): { readonly lane: Lane; readonly x: number } {
    const x = startOf(needsOf(id).filter((need) => laneOf.has(need)));
    const free = lanes.find((lane) => lane.right + GAP.x <= x);
    if (free !== undefined) return { lane: free, x };
    const lane: Lane = { frames: [], steps: [], right: -GAP.x };
    lanes.push(lane);
    return { lane, x };
  }

  function putFrame(lane: Lane, plan: PhasePlan, x: number): void {
    lane.frames.push({ plan, x });
    lane.right = x + plan.width;
  }

  function putStep(lane: Lane, id: string, x: number): void {
    lane.steps.push({ id, x });
    lane.right = x + STEP.width;
    right.set(id, lane.right);
    laneOf.set(id, lane);
  }

  function putInRows(id: string, x: number): void {
    const first = needsOf(id).find((need) => places.has(need));
    let row = first === undefined ? (x === 0 ? rows : 0) : (places.get(first)?.row ?? 0);
    while (!isFree(row, x)) row += 1;
    places.set(id, { x, row });
    taken.set(row, [...(taken.get(row) ?? []), { from: x, to: x + STEP.width }]);
    right.set(id, x + STEP.width);
    rows = Math.max(rows, row + 1);
  }

  return {
    begin(planner: string, plan: PhasePlan): void {
      const { lane, x } = laneFor(planner);
      putStep(lane, planner, x);
      putFrame(lane, plan, x + STEP.width + BESIDE);
      right.set(planner, lane.right);
    },
    putItems(fanOut: string, plan: PhasePlan): void {
      const { lane, x } = laneFor(fanOut);
      putFrame(lane, plan, x);
      putStep(lane, fanOut, lane.right + BESIDE);
    },
    end(target: string, planner: string): void {
      const lane = laneOf.get(planner);
      if (lane === undefined) putInRows(target, startOf(needsOf(target)));
      else
        putStep(lane, target, Math.max(lane.right + BESIDE, startOf(needsOf(target).filter((id) => laneOf.has(id)))));
    },
    put(id: string): void {
      const needs = needsOf(id);
      const x = startOf(needs);
      const lane = laneOf.get(needs.find((need) => laneOf.has(need)) ?? '');
      if (lane !== undefined && lane.right <= x) putStep(lane, id, x);
      else putInRows(id, x);
    },
    plan() {
      const width = Math.max(0, ...[...places.values()].map(({ x }) => x + STEP.width));
      return { rows: { places, rows, width }, lanes };
    },
  };
}
