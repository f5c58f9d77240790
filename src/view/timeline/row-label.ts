// The label of a row: its glyph, its name, its counts, and a sentence for people who cannot see the shapes.
import { counted } from '../../base/counted.ts';
import { durationText, type Instant } from '../../base/quantity.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import type { ShownPhase } from '../phases/phase-tree.ts';
import {
  countedSteps,
  countStatuses,
  leadingStatus,
  type ShownStatus,
  type StatusCounts,
  shownStatuses,
  shownStatusOf,
} from '../phases/shown-status.ts';
import { statusGlyphs, statusWords } from '../phases/status-glyphs.ts';
import { localName } from '../status.ts';
import type { RunTimes } from '../times/run-times.ts';
import type { StepTimes } from '../times/step-times.ts';
import { lengthsText } from './phase-shapes.ts';
import type { TimelineRow } from './timeline-rows.ts';

export interface RowLabel {
  readonly glyph: string;
  readonly text: string;
  /** The status that gives the label its color; undefined for phases without failures. */
  readonly status: ShownStatus | undefined;
  /** `46/48`; empty for steps. */
  readonly done: string;
  readonly failed: number;
  /** All of it as a sentence. */
  readonly says: string;
}

interface LabelRequest {
  /** The state at the shown moment. */
  readonly state: RunView;
  readonly times: RunTimes;
  readonly until: Instant;
  readonly isCritical: boolean;
}

export function rowLabel(request: LabelRequest, row: TimelineRow): RowLabel {
  switch (row.kind) {
    case 'phase':
      return phaseLabel(request, row.phase);
    case 'step':
      return stepLabel(request, row.step);
    case 'rest':
      return restLabel(request, row.steps);
  }
}

function phaseLabel({ state, times, until }: LabelRequest, phase: ShownPhase): RowLabel {
  const { all, kind, number, title, replans = [] } = phase;
  const counts = countStatuses(state, all);
  const names = replans.map(localName).join(', ');
  const text = kind === 'replan' ? `${title} of ${names === '' ? 'the whole phase' : names}` : title;
  const glyph = kind === 'replan' ? '⟲' : number === undefined ? (kind === 'items' ? '▤' : '▣') : String(number);
  const parts = shownStatuses.filter((status) => status !== 'completed' && counts[status] > 0);
  const { began } = times.steps.get(phase.planner) ?? {};
  const word = kind === 'items' ? 'fan-out' : kind === 'replan' ? '' : number === undefined ? 'nested phase' : 'phase';
  return {
    glyph,
    text,
    status: counts.failed > 0 ? 'failed' : counts.asks > 0 ? 'asks' : undefined,
    done: `${counts.completed}/${all.length}`,
    failed: counts.failed,
    says: [
      `${[word, kind === 'phase' && number !== undefined ? number : '', text].filter((each) => each !== '').join(' ')}: ${counts.completed} of ${counted(all.length, 'step')} completed`,
      ...parts.map((status) => `${counts[status]} ${statusWords[status]}`),
      ...(began === undefined || began > until ? ['not begun'] : []),
    ].join(', '),
  };
}

function stepLabel({ state, times, until, isCritical }: LabelRequest, id: string): RowLabel {
  const step = state.steps.get(id);
  const status = step === undefined ? undefined : shownStatusOf(state, step);
  const own = times.steps.get(id);
  return {
    glyph: status === undefined ? ' ' : statusGlyphs[status],
    text: localName(id),
    status,
    done: '',
    failed: 0,
    says: [
      `${localName(id)}: ${status === undefined ? 'not planned yet' : statusWords[status]}`,
      ...(status === undefined || own === undefined ? [] : timeParts(own, until)),
      ...(status === 'failed' && step?.failure !== undefined ? [step.failure.message] : []),
      ...(isCritical ? ['on the critical path'] : []),
    ].join(', '),
  };
}

/** How long a step waited for others, was queued, worked and was held, up to a moment. */
function timeParts({ planned, ready, began, ended, attempts, held }: StepTimes, until: Instant): readonly string[] {
  const span = (from: Instant, to: Instant | undefined): number => Math.max(0, Math.min(until, to ?? until) - from);
  const worked = attempts.reduce((sum, each) => sum + span(each.began, each.ended), 0);
  const asked = held.reduce((sum, each) => sum + span(each.began, each.ended), 0);
  const parts: readonly (readonly [string, number])[] = [
    ['waited for others', span(planned, ready ?? ended)],
    ['queued', ready === undefined ? 0 : span(ready, began ?? ended)],
    ['at work', worked],
    ['held for people', asked],
  ];
  const tries = attempts.filter((each) => each.began <= until).length;
  return [
    ...parts.filter(([, time]) => time > 0).map(([word, time]) => `${word} ${durationText(time)}`),
    ...(tries > 1 ? [`${tries} tries`] : []),
  ];
}

function restLabel({ state, times, until }: LabelRequest, steps: readonly string[]): RowLabel {
  const counts = countStatuses(state, steps);
  const known = countedSteps(counts);
  const kinds = shownStatuses.filter((status) => counts[status] > 0);
  const status = leadingStatus(counts);
  const words = kinds.map((each) => `${counts[each]} ${wordOf(each)}`).join(', ');
  const [only] = kinds;
  const sum =
    known === 0
      ? 'not planned yet'
      : only !== undefined && kinds.length === 1 && known === steps.length
        ? `all ${wordOf(only)}`
        : words;
  const lengths = lengthsText(
    steps.flatMap((id) => times.steps.get(id) ?? []),
    until,
  );
  return {
    glyph: '',
    text: `${steps.length} more, ${sum}`,
    status: status === 'completed' ? undefined : status,
    done: '',
    failed: 0,
    says: [`${steps.length} more steps, ${sum}`, ...(lengths === '' ? [] : [lengths])].join(', '),
  };
}

function wordOf(status: keyof StatusCounts): string {
  return status === 'completed' ? 'done' : statusWords[status];
}
