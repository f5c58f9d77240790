// The shapes of a phase, or of the rest of a phase: its area of steps at work, its planning, its critical path, its marks.
import { durationText, type Instant, type MicroDollars } from '../../base/quantity.ts';
import type { PhaseTree, ShownPhase } from '../phases/phase-tree.ts';
import type { RunTimes } from '../times/run-times.ts';
import type { StepTimes } from '../times/step-times.ts';
import { clipped, type MarkShape, outsideText, placedText, type RowShape } from './shapes.ts';
import { costText } from './step-shapes.ts';
import type { TimeAxis } from './time-axis.ts';
import { type AreaShape, areaPath, workArea } from './work-area.ts';

export interface PhaseShapesRequest {
  readonly times: RunTimes;
  readonly tree: PhaseTree;
  readonly critical: ReadonlySet<string>;
  readonly axis: TimeAxis;
  /** Later times are not drawn. */
  readonly until: Instant;
  /** In pixels. */
  readonly height: number;
}

/** The part of the height that stays free for queued steps above the steps at work. */
const FOR_QUEUE = 0.3;
const LEAST_BAR = 1.5;

export function phaseShapes(request: PhaseShapesRequest, phase: ShownPhase): readonly RowShape[] {
  const { times, critical, axis, until } = request;
  const extent = extentOf(times, phase.all, until);
  if (extent === undefined) return [];
  const { from, to } = extent;
  const outside = outsideText(axis, { from: axis.x(from), to: axis.x(to) });
  if (outside.length > 0) return outside;
  const ground = clipped(axis.x(from), axis.x(to), axis.width, LEAST_BAR);
  const shapes: RowShape[] = ground === undefined ? [] : [{ shape: 'ground', ...ground }];
  shapes.push(...areasOf(request, workersOf(request.tree, phase.all), extent));
  for (const { attempts } of timesOf(times, [phase.planner])) {
    if (phase.kind === 'items') break;
    for (const { began, ended = until } of attempts) {
      const place = clipped(axis.x(began), axis.x(Math.min(until, ended)), axis.width, LEAST_BAR);
      if (began <= until && place !== undefined) shapes.push({ shape: 'planning', ...place });
    }
  }
  for (const id of phase.all) {
    if (!critical.has(id) || request.tree.phases.get(id)?.kind === 'items') continue;
    const { began, ended = until } = times.steps.get(id) ?? {};
    if (began === undefined || began > until) continue;
    const place = clipped(axis.x(began), axis.x(Math.min(until, ended)), axis.width, LEAST_BAR);
    if (place !== undefined) shapes.push({ shape: 'critical', ...place });
  }
  const cost = costText(costOf(times, phase.all, until));
  const length = durationText(to - from);
  const text = cost === '' ? length : `${length} · ${cost}`;
  return [
    ...shapes,
    ...marksOf(request, phase),
    ...placedText({ from: axis.x(from), to: Math.max(axis.x(to), axis.x(from) + 2), width: axis.width }, text, 'dim'),
  ];
}

/** The row of the steps that do not matter by themselves: their area, and how long they took. */
export function restShapes(request: PhaseShapesRequest, steps: readonly string[]): readonly RowShape[] {
  const { times, axis, until } = request;
  const extent = extentOf(times, steps, until);
  if (extent === undefined) return [];
  return [
    ...areasOf(request, steps, extent),
    ...placedText(
      { from: axis.x(extent.from), to: axis.x(extent.to), width: axis.width },
      lengthsText(timesOf(times, steps), until),
      'dim',
    ),
  ];
}

/** `each 2ms to 1.5s, half under 571ms`: how long the steps worked that have ended. */
export function lengthsText(steps: readonly StepTimes[], until: Instant): string {
  const lengths = steps
    .flatMap(({ began, ended }) => (began === undefined || ended === undefined || ended > until ? [] : [ended - began]))
    .sort((one, other) => one - other);
  const [least] = lengths;
  const most = lengths.at(-1);
  if (least === undefined || most === undefined) return '';
  if (durationText(least) === durationText(most)) return `each ${durationText(least)}`;
  const half = lengths[lengths.length >> 1] ?? most;
  return `each ${durationText(least)} to ${durationText(most)}, half under ${durationText(half)}`;
}

interface Extent {
  readonly from: Instant;
  readonly to: Instant;
}

/** From the first step that was ready to the last end; undefined before that. Steps that never began do not count. */
function extentOf(times: RunTimes, steps: readonly string[], until: Instant): Extent | undefined {
  let [from, to] = [Number.POSITIVE_INFINITY, 0];
  for (const { ready, began, ended } of timesOf(times, steps)) {
    const isLive = ready !== undefined && ended === undefined;
    if (began === undefined && !isLive) continue;
    from = Math.min(from, ready ?? began ?? until);
    to = Math.max(to, ended ?? until);
  }
  return from > until ? undefined : { from, to: Math.min(to, until) };
}

function areasOf(
  { times, axis, until, height }: PhaseShapesRequest,
  steps: readonly string[],
  { from, to }: Extent,
): readonly RowShape[] {
  const range = { from: Math.max(0, axis.x(from)), to: Math.min(axis.width, axis.x(to)) };
  if (range.to <= range.from) return [];
  const area = workArea(timesOf(times, steps), axis, range, until, height < 20 ? 1.5 : 3);
  // All rows have one scale, so that their areas can be compared.
  const bottom = height - 4;
  const shape: AreaShape = { bottom, top: 3, unit: ((bottom - 3) * (1 - FOR_QUEUE)) / Math.max(1, times.mostAtWork) };
  const isQueued = area.queued.some((value) => value > 0);
  return [
    ...(isQueued
      ? [{ shape: 'area', of: 'queued', path: areaPath(area, area.queued, shape, area.atWork) } as const]
      : []),
    { shape: 'area', of: 'work', path: areaPath(area, area.atWork, shape) },
  ];
}

/** Planners have a shape of their own. */
function workersOf({ phases }: PhaseTree, steps: readonly string[]): readonly string[] {
  return steps.filter((id) => !phases.has(id));
}

/** Nearer marks of one kind become one mark with their number. */
const APART = 22;

function marksOf({ times, tree, axis, until, height }: PhaseShapesRequest, { all }: ShownPhase): readonly RowShape[] {
  const marks: MarkShape[] = [];
  const apart = height < 20 ? 3 : APART;
  const put = (of: MarkShape['of'], at: Instant, step: string): void => {
    const x = axis.x(at);
    if (at > until || x < 0 || x > axis.width) return;
    const last = marks.at(-1);
    if (last?.of === of && x - last.x < apart) marks[marks.length - 1] = { ...last, count: last.count + 1 };
    else
      marks.push({
        shape: 'mark',
        of,
        x: Math.max(x, last === undefined ? 0 : last.x + (last.count > 1 ? apart : apart * 0.64)),
        count: 1,
        step,
      });
  };
  const found: { readonly of: MarkShape['of']; readonly at: Instant; readonly step: string }[] = [];
  for (const id of all) {
    const { failed, began, ended, held = [] } = times.steps.get(id) ?? {};
    if (failed && ended !== undefined) found.push({ of: 'failed', at: ended, step: id });
    if (tree.phases.get(id)?.kind === 'replan' && began !== undefined)
      found.push({ of: 'replan', at: began, step: id });
    for (const each of held) found.push({ of: 'gate', at: each.began, step: id });
  }
  // Marks of one moment stand beside each other.
  for (const { of, at, step } of found.sort((one, other) => one.at - other.at)) put(of, at, step);
  return marks;
}

/** The amount that was billed up to a moment. */
function costOf(times: RunTimes, steps: readonly string[], until: Instant): MicroDollars {
  let cost = 0;
  for (const { attempts } of timesOf(times, steps)) {
    for (const attempt of attempts) {
      if (attempt.ended !== undefined && attempt.ended <= until) cost += attempt.cost ?? 0;
      else for (const call of attempt.calls) if ((call.ended ?? until + 1) <= until) cost += call.cost ?? 0;
    }
  }
  return cost;
}

function timesOf({ steps }: RunTimes, ids: readonly string[]): readonly StepTimes[] {
  return ids.flatMap((id) => steps.get(id) ?? []);
}
