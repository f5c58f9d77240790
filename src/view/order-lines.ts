// The orders of a goal in the summary of a run: what was done about each, and by which step.
import type { OrderOutcome } from '../engine/record/run-events.schema.ts';
import { hanging, type Line, span, type Tone } from './line.ts';

/** The most finished orders that are listed; orders that nothing did are all listed. */
const MOST_DONE = 10;
const LONGEST = 80;

const words: Readonly<Record<OrderOutcome['outcome'], readonly [string, Tone]>> = {
  done: ['done', 'good'],
  not_done: ['not done', 'bad'],
  not_needed: ['not needed', 'dim'],
};

export function orderLines(orders: readonly OrderOutcome[]): readonly Line[] {
  if (orders.length === 0) return [];
  const done = orders.filter(({ outcome }) => outcome === 'done');
  const hidden = new Set(done.slice(MOST_DONE));
  return [
    [span('orders of the goal:')],
    ...orders.filter((each) => !hidden.has(each)).map(orderLine),
    ...(hidden.size === 0 ? [] : [[span(`  and ${hidden.size} more done`, 'dim')]]),
  ];
}

function orderLine({ says, outcome, steps, why }: OrderOutcome): Line {
  const [word, tone] = words[outcome];
  const [plain] = says.split('\n');
  const short = says.length > LONGEST || plain !== says ? `${(plain ?? '').slice(0, LONGEST)}…` : says;
  const by = steps.map(({ step, by: performer }) => (performer === undefined ? step : `${step} (${performer})`));
  return [
    span(`  ${word.padEnd(10)}  `, tone),
    span(short),
    span(by.length === 0 ? '' : `  ${by.join(', ')}`, 'dim'),
    ...(why === undefined ? [] : [span('  '), hanging(why, tone)]),
  ];
}
