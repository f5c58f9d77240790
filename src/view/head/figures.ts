// The numbers of a run in one line: steps by their state, failures and their consequences, cost and time.
import type { RunView } from '../../engine/state/run-view.ts';
import { countStatuses } from '../phases/shown-status.ts';
import type { Summary } from '../summary.ts';
import { type BudgetRow, shortAmount } from './meters.ts';

/** `264 of 274 steps done, 4 failed, 1 of them repaired. $0.16 of $1.00, 34.9s of 4m.` */
export function figuresText(state: RunView, summary: Summary, rows: readonly BudgetRow[]): string {
  const steps = [...workTexts(state), ...failureTexts(summary), ...restTexts(state, summary)].join(', ');
  const spent = ['cost_usd', 'time'].flatMap((resource) => {
    const row = rows.find((each) => each.resource === resource);
    if (row === undefined) return [];
    const limit = row.limit === undefined ? '' : ` of ${shortAmount(resource, row.limit)}`;
    return [`${shortAmount(resource, row.spent)}${limit}`];
  });
  return `${steps}.${spent.length === 0 ? '' : ` ${spent.join(', ')}.`}`;
}

function workTexts(state: RunView): readonly string[] {
  const counts = countStatuses(state, state.steps.keys());
  return [
    `${shown(counts.completed)} of ${shown(state.steps.size)} steps done`,
    ...some(counts.running, 'running'),
    ...some(counts.retrying, 'about to try again'),
    ...some(counts.queued, 'queued'),
  ];
}

function failureTexts({ steps, failed, tolerated, skipped }: Summary): readonly string[] {
  const cutOff = steps.aborted ?? 0;
  const broken = failed.length - cutOff;
  const repaired = failed.filter(({ takenUp }) => takenUp?.outcome === 'repaired').length;
  const behind = skipped.filter(({ reason }) => reason === 'upstream').length;
  return [
    broken + tolerated.length === 0 ? 'nothing failed' : `${shown(broken + tolerated.length)} failed`,
    ...(repaired > 0 ? [`${shown(repaired)} of them repaired`] : []),
    ...some(tolerated.length, 'of them tolerated'),
    ...some(behind, 'not run because of it'),
    ...some(cutOff, 'cut off by the budget'),
  ];
}

/** Steps that nobody misses are counted only when the run has ended. */
function restTexts({ ended }: RunView, { steps, skipped }: Summary): readonly string[] {
  const count = (...reasons: readonly string[]): number =>
    skipped.filter(({ reason }) => reasons.includes(reason)).length;
  return [
    ...some(count('budget'), 'not run for want of budget'),
    ...some(steps.cancelled ?? 0, 'cancelled'),
    ...(ended === undefined
      ? []
      : [
          ...some(count('converged', 'when_false', 'not_chosen'), 'not needed'),
          ...some(steps.superseded ?? 0, 'replaced'),
        ]),
  ];
}

function some(count: number, words: string): readonly string[] {
  return count === 0 ? [] : [`${shown(count)} ${words}`];
}

function shown(count: number): string {
  return count.toLocaleString('en');
}
