// The slider at the foot: the steps at work over the whole run, the stretch of each phase, and marks for what happened.
import type { Instant } from '../../base/quantity.ts';
import type { Recorded } from '../../engine/record/event.schema.ts';
import type { PhaseTree } from '../phases/phase-tree.ts';
import type { RunTimes } from '../times/run-times.ts';
import type { StepTimes, TimeMark } from '../times/step-times.ts';
import { cut } from './step-shapes.ts';
import type { TimeAxis } from './time-axis.ts';
import { areaPath, workArea } from './work-area.ts';

export interface RunSlider {
  /** The area of the steps at work over the whole run. */
  readonly area: string;
  readonly phases: readonly SliderPhase[];
  readonly marks: readonly SliderMark[];
}

interface SliderPhase {
  readonly x: number;
  readonly width: number;
  /** Empty where there is no room. */
  readonly text: string;
  readonly isEven: boolean;
}

interface SliderMark {
  readonly of: TimeMark['kind'];
  readonly x: number;
  /** An open gate, or a failure, replan or gate of the past. */
  readonly isOpen: boolean;
}

interface SliderRequest {
  readonly times: RunTimes;
  readonly tree: PhaseTree;
  readonly axis: TimeAxis;
  /** Where the area stands, in pixels. */
  readonly top: number;
  readonly bottom: number;
  readonly openGates: ReadonlySet<string>;
}

/** The width of a letter at 10 px. */
const LETTER = 6.1;
const LEAST_LABEL = 34;
const BUCKET = 3;

export function runSlider(request: SliderRequest): RunSlider {
  const { times, tree, axis, top, bottom } = request;
  const workers: StepTimes[] = [];
  for (const [id, step] of times.steps) if (!tree.phases.has(id) && step.attempts.length > 0) workers.push(step);
  const { atWork, ...place } = workArea(workers, axis, { from: 0, to: axis.width }, axis.to, BUCKET);
  const unit = (bottom - top) / Math.max(1, times.mostAtWork) / 1.1;
  return {
    area: areaPath(place, atWork, { bottom, top, unit }),
    phases: phasesOf(request),
    marks: marksOf(request),
  };
}

function phasesOf({ times, tree, axis }: SliderRequest): readonly SliderPhase[] {
  return tree.chain.flatMap((part): SliderPhase[] => {
    const phase = 'phase' in part ? tree.phases.get(part.phase) : undefined;
    if (phase === undefined) return [];
    let [from, to] = [Number.POSITIVE_INFINITY, 0];
    for (const id of phase.all) {
      const { ready, began, ended } = times.steps.get(id) ?? {};
      if (began === undefined) continue;
      from = Math.min(from, ready ?? began);
      to = Math.max(to, ended ?? axis.to);
    }
    if (from > to) return [];
    const x = axis.x(from);
    const width = Math.max(1, axis.x(to) - x - 1);
    const { number = 0, title } = phase;
    const letters = Math.floor((width - 4) / LETTER);
    const full = `${number} ${title}`;
    const text =
      width < LEAST_LABEL ? '' : letters >= 6 || letters >= full.length ? cut(full, letters) : String(number);
    return [{ x, width, text, isEven: number % 2 === 0 }];
  });
}

/** Marks nearer than this look like one. */
const APART = 2;

function marksOf({ times, axis, openGates }: SliderRequest): readonly SliderMark[] {
  const last = new Map<TimeMark['kind'], number>();
  return times.marks.flatMap(({ kind, at, gate }) => {
    const x = axis.x(at);
    const isOpen = gate !== undefined && openGates.has(gate);
    if (!isOpen && x - (last.get(kind) ?? Number.NEGATIVE_INFINITY) < APART) return [];
    last.set(kind, x);
    return [{ of: kind, x, isOpen }];
  });
}

/** The version of the last event up to a moment; at least 1. */
export function versionAt(events: readonly Recorded[], at: Instant): number {
  let [low, high] = [1, events.length];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    const event = events[middle - 1];
    if (event !== undefined && event.at <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
