// Drives a run in this process until it rests: shows its progress, and tells how it ended and what to do next.

import type { Issue } from '../../base/issue.ts';
import { good, type Result } from '../../base/result.ts';
import { openGatesOf } from '../../engine/deadline.ts';
import type { Event } from '../../engine/event.ts';
import type { RunState } from '../../engine/state.ts';
import { successors } from '../../graph/plan-graph.ts';
import type { DriveOptions, Engine, Listener, Ordered, RunHandle } from '../../runtime/engine.ts';
import type { RunReport } from '../../runtime/run-report.ts';
import { StoreRefused } from '../../store/store-refused.ts';
import type { History } from '../../view/history.ts';
import { copyable, type Line, span } from '../../view/line.ts';
import { reportFiles } from '../../view/report-files.ts';
import { summaryOf, summaryText } from '../../view/summary.ts';
import type { Call, Flag } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { askOpenGates, mayAsk } from '../gate/ask-open-gates.ts';
import { answerLines, howToAnswer } from '../gate/gate-text.ts';
import { durabilityFlags, orderer } from '../open-engine.ts';
import { hintAsCalled, refuse, sayIssues, storeIssue } from '../refuse.ts';
import { commandLine } from '../store-file.ts';
import { type Progress, progressOf } from './progress.ts';
import { type DrivenTelemetry, telemetryFor } from './telemetry.ts';
import { watchProcess } from './watch-process.ts';

/** Of commands that drive runs. */
export const driveFlags: readonly Flag[] = [
  {
    name: '--wait',
    description: 'Go on driving while only people can move the run, until they have answered elsewhere.',
  },
  {
    name: '--record <file>',
    description: 'Keep every exchange with models and capabilities in this cassette; one that is there is added to.',
  },
  {
    name: '--replay <file>',
    description: 'Answer from this cassette: no model and no capability is called, and what was not recorded fails.',
  },
  { name: '--no-ask', description: 'At a terminal, do not ask what people are asked: leave it to review.' },
  ...durabilityFlags,
  { name: '--quiet', description: 'Show no progress, and ask nothing.' },
];

/** The last line of what `run --json` and `resume --json` print. */
export const reportShape = {
  run: 'id of the run',
  template: 'name of its template',
  status: 'completed | failed | cancelled | waiting: for people alone | paused | interrupted',
  partial: 'true when a convergence went on without all that it expected',
  'takenOver?': 'true when another process has taken the run over, where it goes on',
  output: "what the template's output says, else the results of its last steps by name",
  'failure?': '{ code, message, retry, … }',
  'causes?':
    '[{ step, task?, code, message, tolerated, takenUp?, behind }]: what failed by itself, and how many steps did not run because of it',
  'stop?': '{ account, resource, limit, spent, reserved, landing, key }: the limit that forced a convergence',
  'gates?':
    '[{ gate, kind, step, others, prompt, decision, since, until?, onExpiry? }]: what people are asked, when it waits for nothing else',
  spent: '{ resource: number }; cost_usd in millionths of a dollar',
  elapsed: 'milliseconds in which something was under way',
  reports: 'paths of the reports that it wrote',
};

export const reportNote =
  'each event as a line { version, at, cause, event }, then as the last line { report } with these keys.';

/** What is printed instead where the order is left to another process. */
export const elsewhereShape = {
  'followed?': 'where another process drives the run: whether it has followed the order yet',
};

export const elsewhereNote = 'When another process drives the run: the one line { ordered: { followed } }.';

/** Starts the run, takes it up, or gives it an order; no handle when another process drives it. */
type Begin = (options: DriveOptions) => Promise<Result<Ordered>>;

type Leg =
  | {
      readonly kind: 'rested';
      readonly report: RunReport;
      readonly state: RunState | undefined;
      /** An error came out of a handler by another way than its promise. */
      readonly stray: boolean;
      /** The process was told to stop. */
      readonly told: boolean;
    }
  | { readonly kind: 'elsewhere'; readonly pending: boolean }
  | { readonly kind: 'refused'; readonly issues: readonly Issue[] }
  | { readonly kind: 'stopped'; readonly run: string; readonly refused: StoreRefused };

/**
 * From rest to rest, for as long as a person at this terminal answers what the run waits for. `history` is what happened
 * to it before.
 */
export async function drive(call: Call, engine: Engine, history: History, begin: Begin): Promise<ExitCode> {
  const telemetry = await telemetryFor(engine, call);
  try {
    return await driveLegs(call, engine, history, telemetry, begin);
  } finally {
    await telemetry.close();
  }
}

async function driveLegs(
  call: Call,
  engine: Engine,
  history: History,
  telemetry: DrivenTelemetry,
  begin: Begin,
): Promise<ExitCode> {
  const left = new Set<string>();
  let leg = await goOn(call, history, telemetry, begin);
  let last = leg;
  while (last.kind === 'rested' && last.report.status === 'waiting' && !last.told && mayAsk(call)) {
    const { run } = last.report;
    const asked = await askOpenGates(call, engine, run, left);
    if (asked === undefined) break;
    leg = await goOn(call, history, telemetry, async (options) =>
      asked === 'expired' ? handleOf(await engine.resume(run, options)) : engine.order(run, asked, options),
    );
    if (leg.kind === 'refused') sayIssues(call.given, leg.issues);
    else last = leg;
  }
  return conclude(call, last);
}

export function handleOf(begun: Result<RunHandle>): Result<Ordered> {
  return begun.ok ? good({ handle: begun.value }, begun.warnings) : begun;
}

async function goOn(call: Call, history: History, telemetry: DrivenTelemetry, begin: Begin): Promise<Leg> {
  const progress = progressOf(call, history);
  let seen: RunState | undefined;
  const onEvents: Listener = (events, state, blob) => {
    seen = state;
    progress.see(events, state);
    if (call.given.has('wait')) for (const { event } of events) noteQuestion(call, state.id, event, progress);
    telemetry.see(events, state, blob);
  };
  const begun = await begin({
    onEvents,
    by: orderer(),
    wait: call.given.has('wait'),
    ...tapeOf(call),
    ...telemetry.options,
  });
  if (!begun.ok || begun.value.handle === undefined) progress.finish();
  if (!begun.ok) return { kind: 'refused', issues: begun.issues };
  const { handle, pending = false } = begun.value;
  if (handle === undefined) return { kind: 'elsewhere', pending };
  const watch = watchProcess({
    handle,
    note: progress.note,
    underWay: () => [...(seen?.running ?? [])],
    resume: commandLine(call.given, 'resume', handle.id),
  });
  try {
    const report = await handle.done;
    return { kind: 'rested', report, state: seen, stray: watch.hasCaught(), told: watch.wasStopped() };
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error;
    return { kind: 'stopped', run: handle.id, refused: error };
  } finally {
    watch.end();
    progress.finish();
  }
}

function tapeOf({ given }: Call): Pick<DriveOptions, 'record' | 'replay'> {
  const record = given.text('record');
  const replay = given.text('replay');
  return { ...(record === undefined ? {} : { record }), ...(replay === undefined ? {} : { replay }) };
}

/** Who waits for an answer says where to give it. */
function noteQuestion({ given }: Call, run: string, event: Event, { note }: Progress): void {
  if (event.type !== 'gate.opened') return;
  const how = copyable(commandLine(given, 'gates', run, event.gate), 'warn');
  note([span(`${event.gate} waits for an answer: `, 'warn'), how]);
}

function conclude(call: Call, leg: Leg): ExitCode {
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
      return leg.stray ? exitCodes.issues : codeOf(leg.report);
  }
}

function tellElsewhere({ given, terminal }: Call, pending: boolean): ExitCode {
  if (given.has('json')) terminal.jsonLine({ ordered: { followed: !pending } });
  else {
    const what = pending ? 'is busy and will follow it as soon as it can' : 'has followed it';
    terminal.print([[span(`the process that drives the run ${what}`)]]);
  }
  return exitCodes.done;
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
  if (report.status === 'waiting') return sayHowToAnswer(call, run, state);
  if (takenOver) return sayNext(call, 'another process has taken this run over; see how it goes on:', [['show', run]]);
  if (isResumable(report)) {
    return sayNext(call, 'go on with:', [
      ['resume', run],
      ['show', run],
      ['cancel', run],
    ]);
  }
  const step = summary?.causes[0]?.step ?? 'STEP';
  const last = report.status === 'completed' && state !== undefined ? lastOf(state) : undefined;
  sayNext(call, 'to see more:', [
    ['show', run],
    ...(last === undefined ? [] : [['show', run, '--result', last]]),
    ['why', run, step],
    ['graph', run],
    ['budget', run],
    ['ui'],
  ]);
}

/** The step with which a run ends, where it is one. */
function lastOf({ steps, graph }: RunState): string | undefined {
  const [only, another] = [...steps.keys()].filter((id) => successors(graph, id).length === 0);
  return another === undefined ? only : undefined;
}

function sayHowToAnswer({ given, terminal }: Call, run: string, state: RunState | undefined): void {
  const open = state === undefined ? [] : openGatesOf(state);
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

/** The run is what it is; the exit code tells that something else went wrong. */
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
