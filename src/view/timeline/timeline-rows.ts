// The rows of the timeline: phases, the steps that matter, and one row for the rest of each opened phase.
import type { Instant } from '../../base/quantity.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import type { PhaseTree, ShownPhase } from '../phases/phase-tree.ts';
import { shownStatusOf } from '../phases/shown-status.ts';
import type { RunTimes } from '../times/run-times.ts';
import type { StepTimes } from '../times/step-times.ts';

export type TimelineRow = PhaseRow | StepRow | RestRow;

interface PlacedRow {
  /** Unique among the rows. */
  readonly key: string;
  /** 0 for phases and single steps of the template. */
  readonly depth: number;
  /** In pixels, from the top of the first row. */
  readonly top: number;
  readonly height: number;
}

interface PhaseRow extends PlacedRow {
  readonly kind: 'phase';
  readonly phase: ShownPhase;
  readonly isOpen: boolean;
}

interface StepRow extends PlacedRow {
  readonly kind: 'step';
  readonly step: string;
}

/** All steps of a phase that do not matter by themselves. */
interface RestRow extends PlacedRow {
  readonly kind: 'rest';
  readonly steps: readonly string[];
  readonly isOpen: boolean;
}

export interface RowHeights {
  readonly phase: number;
  readonly nested: number;
  readonly step: number;
  readonly rest: number;
}

/** Under 600 px each row is a target for a finger; above 600 steps all rows have the height of one line. */
export function rowHeights(steps: number, isNarrow: boolean): RowHeights {
  if (isNarrow) return { phase: 44, nested: 44, step: 44, rest: 44 };
  if (steps > MANY_STEPS) return { phase: 17, nested: 17, step: 17, rest: 22 };
  return { phase: 34, nested: 24, step: 17, rest: 26 };
}

/** A run with more steps is drawn in one line for each phase. */
const MANY_STEPS = 600;

export interface RowRequest {
  readonly state: RunView;
  readonly times: RunTimes;
  readonly tree: PhaseTree;
  readonly critical: ReadonlySet<string>;
  /** Rows that a person opened or closed, by key. */
  readonly turned: ReadonlyMap<string, boolean>;
  readonly chosen: string | undefined;
  readonly heights: RowHeights;
}

/** The key of the row of a phase. */
export function phaseKey(planner: string): string {
  return `phase ${planner}`;
}

/** The key of the row of the rest of a phase. */
export function restKey(planner: string): string {
  return `rest ${planner}`;
}

/** Rows are one pixel apart. */
const GAP = 1;
/** Fewer steps are listed instead of being summed up. */
const LEAST_REST = 4;

export function timelineRows(request: RowRequest): readonly TimelineRow[] {
  const { tree, heights } = request;
  const opened = openedBySteps(request);
  const rows: TimelineRow[] = [];
  let top = 0;
  const put = (row: TimelineRow): void => {
    rows.push(row);
    top += row.height + GAP;
  };

  const putStep = (step: string, depth: number): void =>
    put({ kind: 'step', key: step, depth, top, height: heights.step, step });

  const putPhase = (planner: string, depth: number): void => {
    const phase = tree.phases.get(planner);
    if (phase === undefined) return putStep(planner, depth);
    const isOpen = isOpenPhase(request, opened, phase);
    const height = depth === 0 ? heights.phase : heights.nested;
    put({ kind: 'phase', key: phaseKey(planner), depth, top, height, phase, isOpen });
    if (!isOpen) return;
    putStep(planner, depth + 1);
    const { listed, rest } = partsOf(request, phase);
    for (const part of listed) putPhase(part, depth + 1);
    if (rest.length > 0) putRest(planner, rest, depth + 1);
  };

  const putRest = (planner: string, steps: readonly string[], depth: number): void => {
    const key = restKey(planner);
    const isOpen = request.turned.get(key) ?? false;
    put({ kind: 'rest', key, depth, top, height: heights.rest, steps, isOpen });
    if (isOpen) for (const step of steps) putStep(step, depth + 1);
  };

  for (const part of tree.chain) {
    if ('phase' in part) putPhase(part.phase, 0);
    else for (const step of part.steps) putStep(step, 0);
  }
  return rows;
}

/** The phases around a step, the outermost first. */
export function phasesAround({ phases, phaseOf }: PhaseTree, step: string): readonly string[] {
  const around: string[] = [];
  // The planner of a phase stands in its own phase.
  let key = phases.has(step) ? step : phaseOf.get(step);
  for (; key !== undefined && !around.includes(key); key = phases.get(key)?.within) around.unshift(key);
  return around;
}

/** A run with more phases opens only those that are at work. */
const FEW_PHASES = 12;

/** The phases around the steps that work or ask, and around the chosen step. */
function openedBySteps({ state, tree, chosen }: RowRequest): ReadonlySet<string> {
  const steps = [...state.running, ...state.retrying, ...(chosen === undefined ? [] : [chosen])];
  for (const gate of state.openGates) steps.push(...(state.gates.get(gate)?.holds ?? []));
  return new Set(steps.flatMap((step) => phasesAround(tree, step)));
}

/** Phases that work, ask or hold the chosen step open by themselves; in a short run, those that were planned anew too. */
function isOpenPhase({ tree, turned }: RowRequest, opened: ReadonlySet<string>, phase: ShownPhase): boolean {
  const { planner, replansOf, kind } = phase;
  const byHand = turned.get(phaseKey(planner));
  if (byHand !== undefined) return byHand;
  if (opened.has(planner)) return true;
  return kind === 'phase' && replansOf.length > 0 && tree.phases.size <= FEW_PHASES;
}

/** Steps that are alike are listed up to this number for each reason. */
const MOST_ALIKE = 12;
/** The steps of a phase at work that ended last are listed up to this number. */
const MOST_RECENT = 8;
/** A longer critical path is listed up to this number of steps, the longest ones. */
const MOST_CRITICAL = 40;

interface TimedStep {
  readonly id: string;
  readonly times: StepTimes;
}

/** The parts of an opened phase in the order of time: the steps that matter and the phases inside; then the rest. */
function partsOf(
  { times, tree, critical, chosen, state }: RowRequest,
  { steps, nested, replansOf }: ShownPhase,
): { readonly listed: readonly string[]; readonly rest: readonly string[] } {
  const own = steps.flatMap((id): TimedStep[] => {
    const found = tree.phases.has(id) ? undefined : times.steps.get(id);
    return found === undefined ? [] : [{ id, times: found }];
  });
  const listed = new Set<string>();
  const list = (some: readonly TimedStep[]): void => {
    for (const { id } of some) listed.add(id);
  };
  list(own.filter(({ id }) => id === chosen || alwaysMatters(state, id)));
  list(
    most(
      own.filter(({ id }) => critical.has(id)),
      lengthOf,
      MOST_CRITICAL,
    ),
  );
  list(most(own, ({ attempts }) => (attempts.length > 1 ? attempts.length : 0), MOST_ALIKE));
  list(most(own, modelTime, MOST_ALIKE));
  list(own.filter(({ id }) => state.steps.get(id)?.status === 'superseded').slice(0, MOST_ALIKE));
  // While a phase is at work, its steps do not vanish at the moment in which they end.
  if (own.some(({ id }) => state.running.has(id))) list(most(own, ({ ended = 0 }) => ended, MOST_RECENT));
  const others = own.flatMap(({ id }) => (listed.has(id) ? [] : [id]));
  const isFew = others.length < LEAST_REST;
  const inTime = (ids: readonly string[]): readonly string[] =>
    ids.toSorted((one, other) => placeInTime(times.steps.get(one)) - placeInTime(times.steps.get(other)));
  return {
    listed: inTime([...listed, ...(isFew ? others : []), ...nested, ...replansOf]),
    rest: isFew ? [] : inTime(others),
  };
}

/** The steps with the largest weights above zero. */
function most(steps: readonly TimedStep[], weight: (times: StepTimes) => number, count: number): readonly TimedStep[] {
  return steps
    .filter(({ times }) => weight(times) > 0)
    .toSorted((one, other) => weight(other.times) - weight(one.times))
    .slice(0, count);
}

/** Failures, and steps that work or ask, are never summed up. */
function alwaysMatters(state: RunView, id: string): boolean {
  const step = state.steps.get(id);
  if (step === undefined) return false;
  return ['failed', 'running', 'retrying', 'asks'].includes(shownStatusOf(state, step));
}

function lengthOf({ began, ended }: StepTimes): number {
  return began === undefined ? 0 : (ended ?? began) - began + 1;
}

function modelTime({ attempts }: StepTimes): number {
  let time = 0;
  for (const { calls } of attempts)
    for (const { kind, began, ended = began } of calls) if (kind === 'model') time += ended - began + 1;
  return time;
}

function placeInTime(times: StepTimes | undefined): Instant {
  return times?.began ?? times?.ended ?? Number.POSITIVE_INFINITY;
}
