// The state of the timeline that a person sets: opened rows, the part of the time that is seen, and the row with the focus.
import { batch, computed, effect, signal } from '@preact/signals';
import type { Duration, Instant } from '../../../base/quantity.ts';
import type { TimeWindow } from '../../../view/timeline/time-axis.ts';
import {
  phaseKey,
  phasesAround,
  type RowHeights,
  rowHeights,
  type TimelineRow,
  timelineRows,
} from '../../../view/timeline/timeline-rows.ts';
import { go, place } from '../state/place.ts';
import { critical, end, latestTree, present } from './run-time.ts';

/** Rows that a person opened or closed, by key. */
const turned = signal<ReadonlyMap<string, boolean>>(new Map());

/** The part of the time that a person chose; a part at the end of a living run goes on with it. */
const chosenPart = signal<(TimeWindow & { readonly isAtEnd: boolean }) | undefined>(undefined);

/** The part of the time that is seen; undefined: all of it. */
export const timeWindow = computed<TimeWindow | undefined>(() => {
  const part = chosenPart.value;
  if (part === undefined || !part.isAtEnd) return part;
  return { from: end.value - (part.to - part.from), to: end.value };
});

export function showAllTime(): void {
  chosenPart.value = undefined;
}

/** Shows a part of the time, moved into the time of the run. */
function showPart(from: Instant, length: Duration): void {
  const began = present.peek()?.times.began ?? 0;
  const last = end.peek();
  if (length >= last - began) return showAllTime();
  const start = Math.max(began, Math.min(from, last - length));
  chosenPart.value = { from: start, to: start + length, isAtEnd: start + length >= last };
}

/** The key of the row with the focus. */
export const active = signal<string | undefined>(undefined);

export const isNarrow = signal(false);

const heights = computed<RowHeights>(() => rowHeights(present.value?.state.steps.size ?? 0, isNarrow.value));

export const rows = computed<readonly TimelineRow[]>(() => {
  const moment = present.value;
  const tree = latestTree.value;
  if (moment === undefined || tree === undefined) return [];
  return timelineRows({
    state: moment.state,
    times: moment.times,
    tree,
    critical: critical.value,
    turned: turned.value,
    chosen: place.value.step,
    heights: heights.value,
  });
});

export function turnRow(row: TimelineRow): void {
  if (row.kind !== 'step') turned.value = new Map([...turned.value, [row.key, !row.isOpen]]);
}

/** Opens or closes a phase, or opens the drawer of a step. */
export function openRow(row: TimelineRow): void {
  if (row.kind === 'step') go({ step: row.step, gate: undefined });
  else turnRow(row);
}

/** Another run starts anew; a step that is chosen is not hidden in a phase that was closed before. */
export function keepTimelineState(): () => void {
  let run: string | undefined;
  return effect(() => {
    const { run: now, step } = place.value;
    batch(() => {
      if (now !== run) {
        turned.value = new Map();
        showAllTime();
        active.value = undefined;
      }
      run = now;
      if (step !== undefined) showTimeOf(step);
      const tree = latestTree.peek();
      if (step === undefined || tree === undefined) return;
      const around = new Set(phasesAround(tree, step).map(phaseKey));
      if (![...turned.peek()].some(([key, isOpen]) => around.has(key) && !isOpen)) return;
      turned.value = new Map([...turned.peek()].filter(([key]) => !around.has(key)));
    });
  });
}

/** Short enough that a run of a few milliseconds can be zoomed. */
const CLOSEST: Duration = 2;

/** Zooms around a moment, by default around the chosen step; a factor above 1 zooms in. */
export function zoomTime(factor: number, around?: Instant): void {
  const { from, to } = timeWindow.peek() ?? { from: present.peek()?.times.began ?? 0, to: end.peek() };
  const middle = around ?? middleOf(place.peek().step) ?? (from + to) / 2;
  const length = Math.max(CLOSEST, (to - from) / factor);
  // The moment stays in its place, unless it was not seen.
  const share = middle < from || middle > to ? 0.5 : (middle - from) / (to - from);
  showPart(middle - share * length, length);
}

/** Moves the seen part by a share of its length. */
export function moveTime(share: number): void {
  const seen = timeWindow.peek();
  if (seen !== undefined) showPart(seen.from + share * (seen.to - seen.from), seen.to - seen.from);
}

/** Moves the seen part to a step that is outside of it. */
function showTimeOf(step: string): void {
  const seen = timeWindow.peek();
  const middle = middleOf(step);
  if (seen === undefined || middle === undefined || (middle >= seen.from && middle <= seen.to)) return;
  showPart(middle - (seen.to - seen.from) / 2, seen.to - seen.from);
}

function middleOf(step: string | undefined): Instant | undefined {
  const { began, ended } = present.peek()?.times.steps.get(step ?? '') ?? {};
  return began === undefined ? undefined : (began + (ended ?? end.peek())) / 2;
}
