// The head of the selected run at the selected moment: its headline, its numbers, its failures and its open gates.
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Duration } from '../../../base/quantity.ts';
import { type FailureGroup, failureGroups } from '../../../view/head/failure-groups.ts';
import { figuresText } from '../../../view/head/figures.ts';
import { type GivenOrder, type Headline, headlineOf } from '../../../view/head/headline.ts';
import { type Summary, summaryOf } from '../../../view/summary.ts';
import { budget } from './budget.ts';
import { phases } from './phases.ts';
import { eventsUntil, type Moment, shown, summary } from './run.ts';

export interface ShownHead {
  readonly moment: Moment;
  readonly summary: Summary;
  readonly headline: Headline;
  readonly figures: string;
  readonly failures: readonly FailureGroup[];
}

export const head = computed<ShownHead | undefined>(() => {
  const moment = shown.value;
  const tree = phases.value;
  if (moment === undefined || tree === undefined) return undefined;
  const { state, isLatest } = moment;
  const found = summaryOf(state, isLatest && summary.value?.status === 'interrupted');
  return {
    moment,
    summary: found,
    headline: headlineOf(state, tree, found, orderBefore(moment)),
    figures: figuresText(state, found, budget.value?.run.rows ?? []),
    failures: failureGroups(found),
  };
});

/** The order that paused or cancelled the run. */
function orderBefore(moment: Moment): GivenOrder | undefined {
  const { status, ended } = moment.state;
  if (status !== 'paused' && status !== 'cancelling' && ended?.status !== 'cancelled') return undefined;
  const given = eventsUntil(moment).findLast(
    ({ event: { type } }) => type === 'run.paused' || type === 'run.cancelling',
  )?.event;
  return given?.type === 'run.paused' || given?.type === 'run.cancelling' ? given : undefined;
}

const spoken = signal('');

/** The words for screen readers. */
export const announcement: ReadonlySignal<string> = spoken;

const BETWEEN_MESSAGES: Duration = 5_000;

/** Announces the head of a run when it changes, at most once in five seconds. */
export function keepAnnounced(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = Number.NEGATIVE_INFINITY;
  const say = (): void => {
    timer = undefined;
    const now = head.peek();
    if (now === undefined) return;
    last = performance.now();
    spoken.value = `${now.headline.sentence} ${now.figures}`;
  };
  effect(() => {
    if (head.value === undefined || timer !== undefined) return;
    timer = setTimeout(say, Math.max(0, last + BETWEEN_MESSAGES - performance.now()));
  });
}
