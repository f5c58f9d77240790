// Drives a run in this process until it rests: shows its progress, and tells how it ended and what to do next.
import type { Result } from '../base/result.ts';
import type { RunState } from '../engine/state.ts';
import type { Listener, RunHandle } from '../runtime/engine.ts';
import type { RunReport } from '../runtime/run-report.ts';
import { StoreRefused } from '../store/store-refused.ts';
import type { History } from '../view/history.ts';
import { type Line, span } from '../view/line.ts';
import { reportFiles } from '../view/report-files.ts';
import { summaryOf, summaryText } from '../view/summary.ts';
import type { Call, Flag } from './command.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { progressOf } from './progress.ts';
import { hintAsCalled, refuse, storeIssue } from './refuse.ts';
import { commandLine } from './store-file.ts';
import { watchProcess } from './watch-process.ts';

export const quietFlag: Flag = { name: '--quiet', description: 'Show no progress.' };

/** The last line of what `run --json` and `resume --json` print. */
export const reportShape = {
  run: 'id of the run',
  template: 'name of its template',
  status: 'completed | failed | cancelled | paused | interrupted',
  partial: 'true when a convergence went on without all that it expected',
  'takenOver?': 'true when another process has taken the run over, where it goes on',
  output: "what the template's output says, else the results of its last steps by name",
  'failure?': '{ code, message, retry, … }',
  'stop?': '{ account, resource, limit, spent, reserved, landing, key }: the limit that forced a convergence',
  spent: '{ resource: number }; cost_usd in millionths of a dollar',
  elapsed: 'milliseconds in which something was under way',
  reports: 'paths of the reports that it wrote',
};

export const reportNote =
  'each event as a line { version, at, cause, event }, then as the last line { report } with these keys.';

/** `begin` starts or resumes the run; `history` is what happened to it before. */
export async function drive(
  call: Call,
  history: History,
  begin: (onEvents: Listener) => Promise<Result<RunHandle>>,
): Promise<ExitCode> {
  const progress = progressOf(call, history);
  let seen: RunState | undefined;
  const begun = await begin((events, state) => {
    seen = state;
    progress.see(events, state);
  });
  if (!begun.ok) {
    progress.finish();
    return refuse(call, begun.issues);
  }
  const handle = begun.value;
  const watch = watchProcess({
    handle,
    note: progress.note,
    underWay: () => [...(seen?.running ?? [])],
    resume: commandLine(call.given, 'resume', handle.id),
  });
  let report: RunReport;
  try {
    report = await handle.done;
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error;
    return stoppedByStore(call, handle.id, error);
  } finally {
    watch.end();
    progress.finish();
  }
  tell(call, report, seen);
  return watch.hasCaught() ? exitCodes.issues : codeOf(report);
}

/** What was committed is safe, so that the run goes on once the store is usable again. */
function stoppedByStore(call: Call, run: string, refused: StoreRefused): ExitCode {
  const issues = [storeIssue(refused)];
  if (call.given.has('json')) call.terminal.jsonLine({ issues: issues.map((each) => hintAsCalled(call.given, each)) });
  else refuse(call, issues);
  sayNext(call, 'when that is mended, go on with:', [['resume', run]]);
  return exitCodes.interrupted;
}

function tell(call: Call, report: RunReport, state: RunState | undefined): void {
  const { given, terminal } = call;
  const { run, takenOver } = report;
  const reports = state === undefined ? [] : reportFiles(state);
  if (given.has('json')) return terminal.jsonLine({ report: { ...report, reports } });
  const summary = state === undefined ? undefined : summaryOf(state, report.status === 'interrupted');
  if (summary !== undefined) terminal.print(summaryText(summary));
  terminal.print(reports.map((path) => [span('report: '), span(path, 'strong')]));
  if (takenOver) return sayNext(call, 'another process has taken this run over; see how it goes on:', [['show', run]]);
  if (isResumable(report)) {
    return sayNext(call, 'go on with:', [
      ['resume', run],
      ['show', run],
      ['cancel', run],
    ]);
  }
  const step = summary?.causes[0]?.step ?? 'STEP';
  sayNext(call, 'to see more:', [
    ['show', run],
    ['why', run, step],
    ['graph', run],
    ['budget', run],
  ]);
}

function sayNext({ given, terminal }: Call, before: string, commands: readonly (readonly string[])[]): void {
  terminal.say([
    [span(before, 'dim')],
    ...commands.map((words): Line => [span(`  ${commandLine(given, ...words)}`, 'dim')]),
  ]);
}

function isResumable({ status }: RunReport): boolean {
  return status === 'interrupted' || status === 'paused';
}

function codeOf({ status, stop, failure }: RunReport): ExitCode {
  switch (status) {
    case 'cancelled':
      return exitCodes.cancelled;
    case 'waiting':
    case 'paused':
      return exitCodes.waiting;
    case 'interrupted':
      return exitCodes.interrupted;
    case 'completed':
      return stop === undefined ? exitCodes.done : exitCodes.budget;
    case 'failed':
      return stop !== undefined || failure?.code === 'BUDGET_EXCEEDED' ? exitCodes.budget : exitCodes.issues;
  }
}
