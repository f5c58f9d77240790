// The summary of a run. Its words never call a failure a success.

import { counted } from '../base/counted.ts';
import type { Failure } from '../base/failure.ts';
import { defined } from '../base/json.ts';
import { type Duration, durationText, type Instant } from '../base/quantity.ts';
import { secondsOf } from '../budget/display-figures.ts';
import type { OrderOutcome } from '../engine/record/run-events.schema.ts';
import type { SkipReason } from '../engine/record/step-events.schema.ts';
import { exhaustionText } from '../engine/state/exhaustion.ts';
import type { RunView } from '../engine/state/run-view.ts';
import { elapsedOf, type Step } from '../engine/state/state.ts';
import { type CountedStatus, countedStatus, wasCutOff } from '../engine/state/step-tally.ts';
import { isWaiting } from '../engine/state/waiting.ts';
import { budgetLine } from './budget/budget-line.ts';
import { type Line, span, type Tone } from './line.ts';
import { type OpenGate, openGateLines, openGatesOf } from './open-gates.ts';
import { orderLines } from './order-lines.ts';
import { type RepairOutcome, repairOutcomeOf, repairOutcomeText } from './repair-outcome.ts';

/** A step that failed by itself or was cut off by the budget, and the number of steps that did not run because of it. */
export interface RootCause {
  readonly step: string;
  /** The task, in the words of its plan. */
  readonly task?: string;
  readonly code: string;
  readonly message: string;
  /** How to mend it. */
  readonly hint?: string;
  /** The repair that took the failure up. */
  readonly takenUp?: RepairOutcome;
  readonly behind: number;
}

/** A step that did not run, the reason, and the step whose end is the cause. */
export interface SkippedStep {
  readonly step: string;
  readonly reason: Exclude<SkipReason, 'tolerated'>;
  readonly root?: string;
}

/** The shortfalls of a run, under the names that templates read in `convergence`. */
export interface Shortfalls {
  /** Steps that failed by themselves, or were cut off by the budget. */
  readonly failed: readonly RootCause[];
  /** Steps whose failure was tolerated: what depends on them ran. */
  readonly tolerated: readonly RootCause[];
  /** Steps that did not run. */
  readonly skipped: readonly SkippedStep[];
}

export interface Summary extends Shortfalls {
  readonly run: string;
  readonly template: string;
  /** The environment of the template that the run uses. */
  readonly environment?: string;
  /** `waiting`: only people can continue the run. */
  readonly status: 'completed' | 'failed' | 'cancelled' | 'paused' | 'waiting' | 'interrupted' | 'running';
  readonly partial: boolean;
  /** The parent run. */
  readonly parent?: { readonly run: string; readonly step: string };
  /** The run of which this one is a fork, and their last common event. */
  readonly forked?: { readonly from: string; readonly at: number };
  readonly failure?: Failure;
  /** For a goal without a template: what was done about each of its orders. */
  readonly orders?: readonly OrderOutcome[];
  /** The number of steps by status. */
  readonly steps: Readonly<Partial<Record<CountedStatus, number>>>;
  /** The open gates. */
  readonly gates: readonly OpenGate[];
  /** `stopped by budget.max_total_steps (templates/audit.yaml): 2 of 5 steps used` */
  readonly stop?: string;
  /** Tools and models that were used although they differ from the lock file. */
  readonly differed?: readonly string[];
  readonly budget: string;
  /** The time in which the run was working. */
  readonly elapsed: Duration;
}

/** `interrupted`: the run has not ended, and nobody drives it. */
export function summaryOf(state: RunView, interrupted = false): Summary {
  const { ended, template, stop } = state;
  return {
    run: state.id,
    template: template.name,
    ...defined({ environment: template.environment }),
    status: ended?.status ?? standingOf(state, interrupted),
    partial: state.partial,
    ...defined({
      parent: state.parent === undefined ? undefined : { run: state.parent.run, step: state.parent.step },
      forked: state.forked,
      failure: ended?.failure,
      orders: ended?.orders,
    }),
    steps: countByStatus(state),
    ...shortfallsOf(state),
    gates: openGatesOf(state),
    ...defined({ stop: stop === undefined ? undefined : `stopped by ${exhaustionText(stop, template.file)}` }),
    ...(state.differed.length === 0 ? {} : { differed: [...state.differed] }),
    budget: budgetLine(state),
    elapsed: elapsedOf(state),
  };
}

/** For machines: time in seconds. */
export function shownSummary(summary: Summary): Summary {
  return { ...summary, elapsed: secondsOf(summary.elapsed) };
}

function standingOf(state: RunView, interrupted: boolean): Summary['status'] {
  if (state.status === 'paused') return 'paused';
  if (isWaiting(state)) return 'waiting';
  return interrupted ? 'interrupted' : 'running';
}

function countByStatus(state: RunView): Summary['steps'] {
  const counts: Partial<Record<CountedStatus, number>> = {};
  for (const step of state.steps.values()) {
    const how = countedStatus(step);
    counts[how] = (counts[how] ?? 0) + 1;
  }
  return counts;
}

export function shortfallsOf(state: RunView): Shortfalls {
  const steps = [...state.steps.values()];
  const behind = new Map<string, number>();
  for (const { id, root } of steps) {
    if (root !== undefined && root !== id) behind.set(root, (behind.get(root) ?? 0) + 1);
  }
  const cause = (step: Step): RootCause => causeOf(state, step, behind.get(step.id) ?? 0);
  return {
    failed: steps.filter((step) => step.status === 'failed' || wasCutOff(step)).map(cause),
    tolerated: steps.filter(({ skipped }) => skipped === 'tolerated').map(cause),
    skipped: steps.flatMap(skippedStep),
  };
}

function skippedStep(step: Step): SkippedStep[] {
  const { id, skipped: reason, root } = step;
  if (reason === undefined || reason === 'tolerated' || wasCutOff(step)) return [];
  return [{ step: id, reason, ...defined({ root: root === id ? undefined : root }) }];
}

function causeOf(state: RunView, step: Step, behind: number): RootCause {
  const { code, message, hint = undefined } = step.failure ?? { code: 'STEP_FAILED', message: 'it did not succeed' };
  const takenUp = repairOutcomeOf(state, step);
  return {
    step: step.id,
    ...defined({ task: isAuthored(step) || step.spec.description === undefined ? undefined : step.spec.description }),
    code,
    message,
    ...defined({ hint, takenUp }),
    behind,
  };
}

function isAuthored({ id, spec }: Step): boolean {
  return id === spec.name;
}

/** `now`: marks expired gates. */
export function summaryText(summary: Summary, now?: Instant): readonly Line[] {
  const {
    failed,
    tolerated,
    skipped,
    gates,
    stop,
    failure,
    parent,
    forked,
    template,
    environment,
    differed = [],
  } = summary;
  const named = environment === undefined ? template : `${template} (${environment})`;
  return [
    [headline(summary), span(` ${named}: ${stepsText(summary.steps)} in ${durationText(summary.elapsed)}`)],
    [span(summary.budget)],
    ...(parent === undefined ? [] : [[span(`started by ${parent.step} of run ${parent.run}`, 'dim')]]),
    ...(forked === undefined ? [] : [[span(`forked from ${forked.from} after its event ${forked.at}`, 'dim')]]),
    ...(stop === undefined ? [] : [[span(stop, 'bad')]]),
    ...(summary.status === 'failed' &&
    failure !== undefined &&
    !failed.some((cause) => failure.message.includes(cause.message))
      ? [[span(`${failure.code}: ${failure.message}${failure.hint === undefined ? '' : ` (${failure.hint})`}`, 'bad')]]
      : []),
    ...differed.map((message) => [span('warning LOCK_DIFFERS', 'warn'), span(`: ${message}`)]),
    ...orderLines(summary.orders ?? []),
    ...listed('failed:', causeLines(failed)),
    ...listed('tolerated:', causeLines(tolerated)),
    ...listed('skipped:', skippedLines(skipped)),
    ...(gates.length === 0 ? [] : [[span('what people are asked:')], ...openGateLines(gates, now)]),
  ];
}

const tones: Readonly<Record<Summary['status'], Tone>> = {
  completed: 'good',
  failed: 'bad',
  cancelled: 'warn',
  paused: 'warn',
  waiting: 'warn',
  interrupted: 'warn',
  running: 'busy',
};

/** `partial`, `failed` */
export function standingOfRun({ status, partial }: Pick<Summary, 'status' | 'partial'>): string {
  return status === 'completed' && partial ? 'partial' : status;
}

function headline(summary: Summary): Line[number] {
  const { status, partial } = summary;
  return span(standingOfRun(summary), status === 'completed' && partial ? 'warn' : tones[status]);
}

/** `12 of 14 steps completed, 1 failed, 1 skipped` */
function stepsText(counts: Summary['steps']): string {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const rest = Object.entries(counts).filter(([status]) => status !== 'completed');
  return [
    `${counts.completed ?? 0} of ${counted(all, 'step')} completed`,
    ...rest.map(([status, count]) => `${count} ${status}`),
  ].join(', ');
}

const LONGEST_TASK = 80;

function listed(heading: string, lines: readonly Line[]): readonly Line[] {
  return lines.length === 0 ? [] : [[span(heading)], ...lines];
}

/** The most failures, and the most groups of steps that did not run, that a summary lists. */
const MOST_LINES = 12;

/** Failures that nobody repaired come first where not all are listed. */
function causeLines(causes: readonly RootCause[]): readonly Line[] {
  if (causes.length <= MOST_LINES) return causes.map(causeLine);
  const isRepaired = ({ takenUp }: RootCause): number => (takenUp?.outcome === 'repaired' ? 1 : 0);
  return cutLines(causes.toSorted((one, other) => isRepaired(one) - isRepaired(other)).map(causeLine));
}

function cutLines(lines: readonly Line[]): readonly Line[] {
  if (lines.length <= MOST_LINES) return lines;
  const more = lines.length - MOST_LINES;
  return [...lines.slice(0, MOST_LINES), [span(`  … ${more} more (show --failed)`, 'dim')]];
}

function causeLine({ step, task, code, message, hint, takenUp, behind }: RootCause): Line {
  const others = behind === 0 ? '' : `; ${counted(behind, 'step')} did not run because of it`;
  const after = takenUp === undefined ? '' : ` (${repairOutcomeText(takenUp)})`;
  const isMended = takenUp !== undefined && takenUp.outcome !== 'failed';
  const what = task === undefined ? '' : `  ${task.length > LONGEST_TASK ? `${task.slice(0, LONGEST_TASK)}…` : task}`;
  return [
    span(`  ${step}`, isMended ? 'warn' : 'bad'),
    span(what, 'dim'),
    span(`  ${code}: ${message}${after}${others}`),
    ...(hint === undefined ? [] : [span(` (${hint})`, 'dim')]),
  ];
}

const MOST_NAMES = 8;

/** One line for each reason. Steps that the template itself leaves out are not listed. */
function skippedLines(skipped: readonly SkippedStep[]): readonly Line[] {
  const missed = skipped.filter(({ reason }) => reason !== 'when_false' && reason !== 'not_chosen');
  const byReason = Map.groupBy(missed, ({ reason, root }) =>
    root === undefined ? reason : `${reason}, because of ${root}`,
  );
  const lines = [...byReason].map(([reason, steps]): Line => {
    const more = steps.length > MOST_NAMES ? ` and ${steps.length - MOST_NAMES} more` : '';
    const names = steps.slice(0, MOST_NAMES).map(({ step }) => step);
    return [span(`  ${names.join(', ')}${more}`, 'warn'), span(`  ${reason}`)];
  });
  return cutLines(lines);
}
