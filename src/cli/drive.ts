// Drives a run in this process until it rests: shows its progress, stops it on Ctrl-C, and tells how it ended.
import type { Result } from '../base/result.ts';
import type { RunState } from '../engine/state.ts';
import type { Listener, RunHandle } from '../runtime/engine.ts';
import type { RunReport } from '../runtime/run-report.ts';
import type { History } from '../view/history.ts';
import { type Line, span } from '../view/line.ts';
import { reportFiles } from '../view/report-files.ts';
import { summaryOf, summaryText } from '../view/summary.ts';
import type { Call, Flag } from './command.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { type Progress, progressOf } from './progress.ts';
import { refuse } from './refuse.ts';
import { commandLine } from './store-file.ts';

export const quietFlag: Flag = { name: '--quiet', description: 'Show no progress.' };

/** The last line of what `run --json` and `resume --json` print. */
export const reportShape = {
  run: 'id of the run',
  template: 'name of its template',
  status: 'completed | failed | cancelled | paused | interrupted',
  partial: 'true when a convergence went on without all that it expected',
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
  const stopListening = stopOnSignal(handle, progress);
  let report: RunReport;
  try {
    report = await handle.done;
  } finally {
    stopListening();
    progress.finish();
  }
  tell(call, report, seen);
  return codeOf(report);
}

/** The first signal lets what runs end, the second gives it up, the third does not even wait for that. */
function stopOnSignal(handle: RunHandle, progress: Progress): () => void {
  let asked = 0;
  const stop = (): void => {
    asked += 1;
    if (asked > 2) process.exit(exitCodes.interrupted);
    if (asked === 1)
      progress.note([span('stopping: what runs may end, for up to 5 s; Ctrl-C again stops at once', 'warn')]);
    handle.stop();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return () => {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  };
}

function tell({ given, terminal }: Call, report: RunReport, state: RunState | undefined): void {
  const reports = state === undefined ? [] : reportFiles(state);
  if (given.has('json')) return terminal.jsonLine({ report: { ...report, reports } });
  if (state !== undefined) terminal.print(summaryText(summaryOf(state, report.status === 'interrupted')));
  terminal.print(reports.map((path) => [span('report: '), span(path, 'strong')]));
  const next = isResumable(report) ? ['resume', 'show', 'cancel'] : ['show', 'why', 'graph', 'budget'];
  terminal.say([
    [span(isResumable(report) ? 'go on with:' : 'to see more:', 'dim')],
    ...next.map(
      (name): Line => [span(`  ${commandLine(given, name, report.run, ...(name === 'why' ? ['STEP'] : []))}`, 'dim')],
    ),
  ]);
}

function isResumable({ status }: RunReport): boolean {
  return status === 'interrupted' || status === 'paused';
}

function codeOf({ status, stop, failure }: RunReport): ExitCode {
  switch (status) {
    case 'cancelled':
      return exitCodes.cancelled;
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
