// show: shows a run from its journal.
import { issue } from '../../base/issue.ts';
import { fold } from '../../engine/state/fold.ts';
import type { RunRecord } from '../../runtime/api/run-record.ts';
import { eventLine } from '../../view/event-line.ts';
import { historyOf } from '../../view/history.ts';
import { copyable, hanging, span } from '../../view/line.ts';
import { reportFiles } from '../../view/report-files.ts';
import { runTree, shownTree } from '../../view/run-tree.ts';
import { storedValue } from '../../view/stored-value.ts';
import { shownSummary, summaryOf, summaryText } from '../../view/summary.ts';
import { treeText } from '../../view/tree-text.ts';
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
import { logFlags, refuseWithoutLogs, showLogs } from './show-logs.ts';

export const command: Command = {
  arguments: [runArgument, { name: '[STEP]', description: 'With --logs: the step, by its id or the last part of it.' }],
  flags: [
    { name: '--result <step>', description: 'Print the result of this step, as JSON.' },
    { name: '--events', description: 'List the events with their numbers.' },
    { name: '--at <event>', description: 'Show the run after this event.' },
    ...logFlags,
    storeFlag,
    jsonFlag,
  ],
  examples: [
    { command: 'reconverge show latest', does: 'show the steps and the end of the last run' },
    { command: 'reconverge show latest --result ingest', does: 'print the result of a step' },
    { command: 'reconverge show latest --at 20', does: 'show the steps after the 20th event' },
    { command: 'reconverge show latest --logs fetch', does: 'print the log lines of a step' },
    { command: 'reconverge show latest --logs --level warn --follow', does: 'follow the warnings of a run' },
  ],
  run: (call) =>
    withRun(call, (record, engine) => {
      const { given } = call;
      if (given.has('logs')) return showLogs(call, engine, record);
      refuseWithoutLogs(call);
      const seen = given.has('at') ? asOf(record, eventNumber(given.text('at') ?? '', record)) : record;
      if (given.has('events')) return showEvents(call, seen);
      return given.has('result') ? showResult(call, seen) : show(call, seen);
    }),
};

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
  terminal.print([
    [span(`run ${state.id}`, 'strong')],
    ...treeText(tree, terminal),
    ...summaryText(summary, Date.now()),
    ...reports.map((path) => [span('report: '), span(path, 'strong')]),
  ]);
  if (summary.gates.length > 0)
    terminal.say([[span('see how to answer: ', 'dim'), copyable(commandLine(given, 'gates', state.id), 'dim')]]);
  if (interrupted && summary.status !== 'waiting')
    terminal.say([[span('go on with: ', 'dim'), copyable(commandLine(given, 'resume', state.id), 'dim')]]);
  return exitCodes.done;
}

function showResult(call: Call, record: RunRecord): ExitCode {
  const step = findStep(record.state, call.given.text('result') ?? '');
  if (!step.ok) return refuse(call, step.error);
  const { id, status, result } = step.value;
  if (result === undefined) {
    return refuse(call, [
      issue('RESULT_MISSING', `step "${id}" has no result: it is ${status}`, {
        hint: `see why: reconverge why ${record.state.id} ${id}`,
      }),
    ]);
  }
  call.terminal.json(storedValue(result, record.blob));
  return exitCodes.done;
}
