// Reports how a run that was driven here came to rest, and what to do next; picks the exit code.
import type { Issue } from '../../base/issue.ts';
import { isExhaustion } from '../../engine/state/exhaustion.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import { successors } from '../../graph/plan-graph.ts';
import type { RunReport } from '../../runtime/api/run-report.ts';
import { type StoreRefused, storeIssue } from '../../store/store-refused.ts';
import { copyable, type Line, span } from '../../view/line.ts';
import { openGatesOf } from '../../view/open-gates.ts';
import { reportFiles } from '../../view/report-files.ts';
import { summaryOf, summaryText } from '../../view/summary.ts';
import type { ElsewhereAnswer, ReportAnswer } from '../answers/run-control.schema.ts';
import type { Call } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { answerLines, howToAnswer } from '../gate/gate-text.ts';
import { hintAsCalled, refuse } from '../refuse.ts';
import { commandLine } from '../store-file.ts';

/** The part of a run between two rests that one process drove. */
export type DriveOutcome =
  | {
      readonly kind: 'rested';
      readonly report: RunReport;
      readonly state: RunView | undefined;
      /** An error escaped from a handler outside its promise. */
      readonly stray: boolean;
      /** A signal told the process to stop. */
      readonly told: boolean;
    }
  | { readonly kind: 'elsewhere'; readonly pending: boolean }
  | { readonly kind: 'refused'; readonly issues: readonly Issue[] }
  | { readonly kind: 'stopped'; readonly run: string; readonly refused: StoreRefused };

/** Prints how the run ended and what to do next. */
export function conclude(call: Call, leg: DriveOutcome): ExitCode {
  switch (leg.kind) {
    case 'refused':
      return refuse(call, leg.issues);
    case 'elsewhere':
      return tellElsewhere(call, leg.pending);
    case 'stopped':
      return stoppedByStore(call, leg.run, leg.refused);
    case 'rested':
      tell(call, leg.report, leg.state);
      if (leg.stray && hasEnded(leg.report)) sayStray(call, leg.report);
      return leg.stray ? exitCodes.issues : codeOf(leg.report, call.given.has('failOnPartial'));
  }
}

function tellElsewhere({ given, terminal }: Call, pending: boolean): ExitCode {
  if (given.has('json')) terminal.jsonLine({ ordered: { followed: !pending } } satisfies ElsewhereAnswer);
  else {
    const what = pending ? 'is busy and will follow it as soon as it can' : 'has followed it';
    terminal.print([[span(`the process that drives the run ${what}`)]]);
  }
  return exitCodes.done;
}

/** Committed events are safe, so the run can continue once the store works again. */
function stoppedByStore(call: Call, run: string, refused: StoreRefused): ExitCode {
  const issues = [storeIssue(refused)];
  if (call.given.has('json')) call.terminal.jsonLine({ issues: issues.map((each) => hintAsCalled(call.given, each)) });
  else refuse(call, issues);
  sayNext(call, 'when that is mended, go on with:', [['resume', run]]);
  return exitCodes.interrupted;
}

function tell(call: Call, report: RunReport, state: RunView | undefined): void {
  const { given, terminal } = call;
  const { run, takenOver } = report;
  const reports = state === undefined ? [] : reportFiles(state);
  if (given.has('json')) return terminal.jsonLine({ report: { ...report, reports } } satisfies ReportAnswer);
  const summary = state === undefined ? undefined : summaryOf(state, report.status === 'interrupted');
  if (summary !== undefined) terminal.print(summaryText(summary));
  terminal.print(reports.map((path) => [span('report: '), span(path, 'strong')]));
  if (report.status === 'waiting') return sayHowToAnswer(call, run, state);
  if (takenOver) return sayNext(call, 'another process has taken this run over; see how it goes on:', [['show', run]]);
  if (isResumable(report)) {
    return sayNext(call, 'go on with:', [
      ['resume', run],
      ['show', run],
      ['cancel', run],
    ]);
  }
  const failed = summary?.failed[0] ?? summary?.tolerated[0];
  const last = report.status === 'completed' && state !== undefined ? lastOf(state) : undefined;
  sayNext(call, 'to see more:', [
    ['show', run],
    ...(failed === undefined ? [] : [['show', run, '--failed']]),
    ...(last === undefined ? [] : [['show', run, '--result', last]]),
    ['why', run, failed?.step ?? 'STEP'],
    ['graph', run],
    ['budget', run],
    ...(given.has('ui') ? [] : [['ui']]),
  ]);
}

/** The run's last step, if there is exactly one. */
function lastOf({ steps, graph }: RunView): string | undefined {
  const [only, another] = [...steps.keys()].filter((id) => successors(graph, id).length === 0);
  return another === undefined ? only : undefined;
}

function sayHowToAnswer({ given, terminal }: Call, run: string, state: RunView | undefined): void {
  const open =
    state === undefined
      ? []
      : openGatesOf(state).map(({ gate: id, kind, decision, each }) => {
          return { id, kind, decision, ...(each ? { call: { each } } : {}) };
        });
  const dim = (text: string): Line => [span(text, 'dim')];
  terminal.say([
    ...open.flatMap((gate) => [
      dim(`to answer ${gate.id}:`),
      ...answerLines(gate),
      ...howToAnswer(given, run, gate).map(toCopy),
    ]),
    dim('to see more:'),
    toCopy(commandLine(given, 'gates', run, open.length === 1 ? (open[0]?.id ?? '') : '').trimEnd()),
  ]);
}

function sayNext({ given, terminal }: Call, before: string, commands: readonly (readonly string[])[]): void {
  terminal.say([[span(before, 'dim')], ...commands.map((words) => toCopy(commandLine(given, ...words)))]);
}

function toCopy(command: string): Line {
  return [span('  '), copyable(command, 'dim')];
}

/** The run's status is right as it is; the exit code reports the stray error. */
function sayStray({ terminal }: Call, { status }: RunReport): void {
  const what = `: a handler failed outside of its call; the run has ${status === 'cancelled' ? 'been cancelled' : status} all the same`;
  terminal.say([[span('error', 'bad'), span(what)]]);
}

function hasEnded(report: RunReport): boolean {
  return report.status !== 'waiting' && !isResumable(report);
}

function isResumable({ status }: RunReport): boolean {
  return status === 'interrupted' || status === 'paused';
}

/** A partial run that also ended for another reason gets the exit code of that reason. */
function codeOf({ status, partial, stop, failure }: RunReport, failOnPartial: boolean): ExitCode {
  switch (status) {
    case 'cancelled':
      return exitCodes.cancelled;
    case 'waiting':
    case 'paused':
      return exitCodes.waiting;
    case 'interrupted':
      return exitCodes.interrupted;
    case 'completed':
      if (stop !== undefined) return exitCodes.budget;
      return partial && failOnPartial ? exitCodes.partial : exitCodes.done;
    case 'failed':
      return stop !== undefined || isExhaustion(failure?.code) ? exitCodes.budget : exitCodes.issues;
  }
}
