// show: shows a run from its journal.
import { counted } from '../../base/counted.ts';
import { issue } from '../../base/issue.ts';
import { fold } from '../../engine/state/fold.ts';
import type { StepStatus } from '../../engine/state/state.ts';
import type { RunRecord } from '../../runtime/api/run-record.ts';
import { eventLine } from '../../view/event-line.ts';
import { historyOf } from '../../view/history.ts';
import { copyable, hanging, span } from '../../view/line.ts';
import { reportFiles } from '../../view/report-files.ts';
import { runTree, shownTree } from '../../view/run-tree.ts';
import { storedValue } from '../../view/stored-value.ts';
import { shownSummary, summaryOf, summaryText } from '../../view/summary.ts';
import { foldedTreeText } from '../../view/tree-text.ts';
import type { ShowAnswer } from '../answers/runs.schema.ts';
import type { Call, Command } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { findStep } from '../find-step.ts';
import { jsonFlag } from '../json-flag.ts';
import { withRun } from '../open-engine.ts';
import { refuse } from '../refuse.ts';
import { runArgument } from '../run-argument.ts';
import { commandLine, storeFlag } from '../store-file.ts';
import { UsageError } from '../usage-error.ts';
import { showFailed } from './show-failed.ts';
import { logFlags, refuseWithoutLogs, showLogs } from './show-logs.ts';

export const command: Command = {
  arguments: [runArgument, { name: '[STEP]', description: 'With --logs: the step, by its id or the last part of it.' }],
  flags: [
    { name: '--failed', description: 'Show only failed steps: why they failed, and what did not run because of them.' },
    { name: '--all', description: 'Fold nothing: show each step, or with --failed each failure.' },
    { name: '--result <step>', description: 'Print the result of this step, as JSON.' },
    { name: '--events', description: 'List the events with their numbers.' },
    { name: '--at <event>', description: 'Show the run after this event.' },
    ...logFlags,
    storeFlag,
    jsonFlag,
  ],
  examples: [
    { command: 'reconverge show latest', does: 'show the steps and the end of the last run' },
    { command: 'reconverge show latest --failed', does: 'show what failed in the last run, and why' },
    { command: 'reconverge show latest --all', does: 'show every step of a large run' },
    { command: 'reconverge show latest --result ingest', does: 'print the result of a step' },
    { command: 'reconverge show latest --at 20', does: 'show the steps after the 20th event' },
    { command: 'reconverge show latest --logs fetch', does: 'print the log lines of a step' },
    { command: 'reconverge show latest --logs --level warn --follow', does: 'follow the warnings of a run' },
  ],
  run: (call) =>
    withRun(call, (record, engine) => {
      const { given } = call;
      refuseMixed(call);
      if (given.has('logs')) return showLogs(call, engine, record);
      refuseWithoutLogs(call);
      const seen = given.has('at') ? asOf(record, eventNumber(given.text('at') ?? '', record)) : record;
      if (given.has('failed')) return showFailed(call, seen);
      if (given.has('events')) return showEvents(call, seen);
      return given.has('result') ? showResult(call, seen) : show(call, seen);
    }),
};

/** The flags that ask for another answer than the steps or the failures. */
const otherAnswers = ['logs', 'events', 'result'] as const;

function refuseMixed({ given }: Call): void {
  const other = otherAnswers.find((flag) => given.has(flag));
  const mine = (['failed', 'all'] as const).find((flag) => given.has(flag));
  if (other !== undefined && mine !== undefined)
    throw new UsageError(`--${mine} does not go together with --${other}: leave one of them out`);
}

function eventNumber(text: string, { events }: RunRecord): number {
  const number = /^\d+$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= events.length) return number;
  throw new UsageError(`--at takes the number of an event, from 1 to ${events.length}, not "${text}"`);
}

/** Sets `driven`, so that a past state is not shown as interrupted. */
function asOf(record: RunRecord, version: number): RunRecord {
  const events = record.events.slice(0, version);
  return { ...record, events, state: fold(record.template, events), driven: true };
}

function showEvents({ given, terminal }: Call, { events }: RunRecord): ExitCode {
  const since = events[0]?.at ?? 0;
  const width = String(events.length).length;
  for (const recorded of events) {
    if (given.has('json')) terminal.jsonLine(recorded);
    else
      terminal.print([
        [span(`${String(recorded.version).padStart(width)}  `, 'dim'), hanging(eventLine(recorded, since))],
      ]);
  }
  return exitCodes.done;
}

/** For fewer steps the line that folds them is enough. */
const MANY_FOLDED = 10;

function show({ given, terminal }: Call, record: RunRecord): ExitCode {
  const { state, events } = record;
  const interrupted = state.ended === undefined && !record.driven;
  const summary = summaryOf(state, interrupted);
  const tree = runTree(state, historyOf(events), state.at);
  const reports = reportFiles(state);
  if (given.has('json')) {
    const input = storedValue(state.input, record.blob);
    const output = state.ended === undefined ? null : storedValue(state.ended.output, record.blob);
    const answer = { ...shownSummary(summary), input, output, reports, tree: shownTree(tree) };
    terminal.json(answer satisfies ShowAnswer);
    return exitCodes.done;
  }
  const { lines, folded } = foldedTreeText(tree, terminal.columns, given.has('all') ? undefined : '--all');
  terminal.print([
    [span(`run ${state.id}`, 'strong')],
    ...lines,
    ...summaryText(summary, Date.now()),
    ...reports.map((path) => [span('report: '), span(path, 'strong')]),
  ]);
  const sayNext = (what: string, ...words: readonly string[]): void =>
    terminal.say([[span(`${what}: `, 'dim'), copyable(commandLine(given, ...words), 'dim')]]);
  if (folded >= MANY_FOLDED)
    sayNext(`${counted(folded, 'step')} ${folded === 1 ? 'is' : 'are'} folded; show all`, 'show', state.id, '--all');
  if (summary.failed.length + summary.tolerated.length > 0)
    sayNext('show only what failed', 'show', state.id, '--failed');
  if (summary.gates.length > 0) sayNext('see how to answer', 'gates', state.id);
  if (interrupted && summary.status !== 'waiting') sayNext('go on with', 'resume', state.id);
  return exitCodes.done;
}

const ended: Readonly<Partial<Record<StepStatus, string>>> = {
  failed: 'it failed',
  skipped: 'it was skipped',
  completed: 'its call returns none',
};

function showResult(call: Call, record: RunRecord): ExitCode {
  const step = findStep(record.state, call.given.text('result') ?? '');
  if (!step.ok) return refuse(call, step.error);
  const { id, status, result } = step.value;
  if (result === undefined) {
    return refuse(call, [
      issue('RESULT_MISSING', `step "${id}" has no result: ${ended[status] ?? `it is ${status}`}`, {
        hint: `see why: reconverge why ${record.state.id} ${id}`,
      }),
    ]);
  }
  call.terminal.json(storedValue(result, record.blob));
  return exitCodes.done;
}
