// The shapes of one step: waiting for others, queued, at work in each attempt, its model calls, and how it ended.
import { defined } from '../../base/json.ts';
import { type Instant, type MicroDollars, moneyText } from '../../base/quantity.ts';
import type { RunView, StepView } from '../../engine/state/run-view.ts';
import { localName } from '../status.ts';
import type { AttemptTimes, StepTimes } from '../times/step-times.ts';
import {
  type BarShape,
  clipped,
  outsideText,
  placedText,
  type RowShape,
  type StretchShape,
  type TextShape,
} from './shapes.ts';
import type { TimeAxis } from './time-axis.ts';

export interface StepShapesRequest {
  readonly step: StepView;
  readonly times: StepTimes;
  readonly state: RunView;
  readonly axis: TimeAxis;
  /** Later times are not drawn. */
  readonly until: Instant;
  readonly isCritical: boolean;
}

/** Bars of work can be seen even if they are short. */
const LEAST_BAR = 2.5;
/** A shorter queue than this would only blur the left edge of the bar. */
const LEAST_QUEUE = 1;
const LONGEST_MESSAGE = 60;

export function stepShapes(request: StepShapesRequest): readonly RowShape[] {
  const { step, times, axis, until } = request;
  const { planned, ready, began, ended, attempts, held } = times;
  if (planned > until) return [];
  const shapes: RowShape[] = [];
  const stretch = (shape: StretchShape['shape'], from: Instant, to: Instant, least = 0): void => {
    const end = Math.min(to, until);
    const place = end < from ? undefined : clipped(axis.x(from), axis.x(end), axis.width, least);
    if (place !== undefined && place.width > 0) shapes.push({ shape, ...place });
  };
  const bar = (status: BarShape['status'], from: Instant, to: Instant): void => {
    const place = from > until ? undefined : clipped(axis.x(from), axis.x(Math.min(to, until)), axis.width, LEAST_BAR);
    if (place !== undefined) shapes.push({ shape: 'bar', status, ...place });
  };
  const isOver = ended !== undefined && ended <= until;
  if (began !== undefined || !isOver) stretch('waits', planned, ready ?? until);
  if (ready !== undefined && ready <= until) {
    const end = began ?? ended ?? until;
    if (axis.x(end) - axis.x(ready) >= LEAST_QUEUE) stretch('queued', ready, end);
  }
  for (const each of held) bar('asks', each.began, each.ended ?? until);
  for (const [index, attempt] of attempts.entries()) {
    const before = attempts[index - 1]?.ended;
    if (before !== undefined) stretch('retry', before, attempt.began);
    bar(statusOf(request, attempt, index), attempt.began, attempt.ended ?? until);
    for (const call of attempt.calls)
      if (call.kind === 'model') stretch('call', call.began, call.ended ?? until, LEAST_BAR);
  }
  // A step that is done within the engine takes no time.
  const isDone = step.status === 'completed' || step.status === 'resolved';
  if (isOver && isDone && attempts.length === 0 && held.length === 0) bar('completed', began ?? ended, ended);
  if (request.isCritical && began !== undefined) stretch('critical', began, ended ?? until, LEAST_BAR);
  return [...shapes, ...endText(request)];
}

function statusOf(
  { times: { attempts, ended }, step, until }: StepShapesRequest,
  attempt: AttemptTimes,
  index: number,
): BarShape['status'] {
  if (attempt.ended === undefined || attempt.ended > until) return 'running';
  if (attempt.failed !== undefined) return 'failed';
  const isLast = index === attempts.length - 1 && ended === attempt.ended;
  return isLast && (step.status === 'completed' || step.status === 'resolved') ? 'completed' : 'cut';
}

/** Says behind the last bar how the step ended, or what it waits for. */
function endText({ step, times, state, axis, until }: StepShapesRequest): readonly TextShape[] {
  const { began, ended, attempts, held } = times;
  const isOver = ended !== undefined && ended <= until;
  const last = attempts.findLast((attempt) => attempt.began <= until);
  const from = axis.x(Math.min(until, began ?? ended ?? until));
  const to = axis.x(Math.min(until, ended ?? last?.ended ?? until));
  const place = { from, to: Math.max(to, from + LEAST_BAR), width: axis.width };
  const put = (text: string, tone: TextShape['tone']): readonly TextShape[] => placedText(place, text, tone);
  if ((began ?? ended ?? until) < until && (place.to < 0 || from > axis.width)) return outsideText(axis, place);
  const open = held.find((each) => each.began <= until && (each.ended ?? until) >= until);
  if (!isOver && open !== undefined) return put(`◆ waits for you: ${promptOf(state, open.gate)}`, 'asks');
  if (!isOver) return last?.failed !== undefined && (last.ended ?? until) < until ? put('✗ tries again', 'bad') : [];
  const cost = costText(attempts.reduce((sum, attempt) => sum + (attempt.cost ?? 0), 0));
  switch (step.status) {
    case 'failed':
      return put(`✗ ${cut(step.failure?.message ?? last?.failed?.message ?? 'failed', LONGEST_MESSAGE)}`, 'bad');
    case 'skipped':
      return put(began === undefined ? `– not run: ${skipText(step)}` : `– left out: ${skipText(step)}`, 'dim');
    case 'cancelled':
      return put(began === undefined ? '– not run: the run was canceled' : '– canceled', 'dim');
    case 'superseded':
      return put('⟲ planned anew', 'dim');
    case 'resolved':
      return put('✓ a person gave the result', 'dim');
    default: {
      const adopted = times.adopted ? '✓ kept from work that was done before' : '';
      const tries = attempts.length > 1 ? `✓ ${ordinal(attempts.length)} try` : adopted;
      return put([tries, cost].filter((part) => part !== '').join(' · '), tries === '' ? 'model' : 'dim');
    }
  }
}

function promptOf({ gates }: RunView, id: string): string {
  return cut(gates.get(id)?.prompt ?? id, LONGEST_MESSAGE);
}

const skipped: Readonly<Record<NonNullable<StepView['skipped']>, string>> = {
  when_false: 'its condition did not hold',
  not_chosen: 'another branch was chosen',
  tolerated: 'it failed, and the template tolerates that',
  upstream: 'a step that it needs did not succeed',
  budget: 'the budget was spent',
  converged: 'its phase had converged',
};

function skipText({ id, skipped: reason, root }: StepView): string {
  const { cause } = defined({ cause: root === id ? undefined : root });
  if (reason === 'upstream' && cause !== undefined) return `it needs ${localName(cause)}`;
  return reason === undefined ? 'it was skipped' : skipped[reason];
}

/** `1.1¢`, `$1.20`; empty for nothing. */
export function costText(cost: MicroDollars): string {
  if (cost <= 0) return '';
  if (cost >= 1_000_000) return moneyText(Math.round(cost / 10_000) * 10_000);
  return cost < 500 ? 'under 0.1¢' : `${(cost / 10_000).toFixed(1)}¢`;
}

function ordinal(count: number): string {
  const ending = { 1: 'st', 2: 'nd', 3: 'rd' }[count % 10];
  return `${count}${ending === undefined || (count % 100 > 10 && count % 100 < 14) ? 'th' : ending}`;
}

export function cut(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}
