// Drives a run in this process until it rests and shows its progress; serves the inspector beside it on request.

import { defined } from '../../base/json.ts';
import { good, type Result } from '../../base/result.ts';
import type { Event } from '../../engine/record/event.schema.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import type { DriveOptions, Engine, Listener, OrderReply, RunHandle } from '../../runtime/api/engine.ts';
import { StoreRefused } from '../../store/store-refused.ts';
import type { History } from '../../view/history.ts';
import { copyable, span } from '../../view/line.ts';
import type { Call, Flag } from '../command.ts';
import type { ExitCode } from '../exit-codes.ts';
import { askOpenGates, mayAsk } from '../gate/ask-open-gates.ts';
import { type Inspector, openInspector, portFlag } from '../inspector.ts';
import { durabilityFlags, orderer } from '../open-engine.ts';
import { refuse, sayIssues } from '../refuse.ts';
import { commandLine } from '../store-file.ts';
import { conclude, type DriveOutcome } from './conclude.ts';
import { type LeftOutWatch, leftOutWatch } from './left-out.ts';
import { type Progress, progressOf } from './progress.ts';
import { type RunTelemetry, telemetryFor } from './telemetry.ts';
import { watchProcess } from './watch-process.ts';

/** The flags of commands that drive runs. */
export const driveFlags: readonly Flag[] = [
  {
    name: '--wait',
    description: 'Keep the process alive until every open gate is answered or has expired.',
  },
  {
    name: '--record <file>',
    description: 'Record every exchange with models and capabilities in this cassette; an existing one is extended.',
  },
  {
    name: '--replay <file>',
    description:
      'Answer calls from this cassette: no model and no capability is called, and calls without a recording fail.',
  },
  {
    name: '--ui',
    description: 'Serve the inspector during the run and after its end, until Ctrl-C; people answer questions there.',
  },
  {
    ...portFlag,
    description: `With --ui: ${portFlag.description.charAt(0).toLowerCase()}${portFlag.description.slice(1)}`,
  },
  {
    name: '--fail-on-partial',
    description: 'Exit with 6 instead of 0 if the run completes only in part. Other exit codes take precedence.',
  },
  {
    name: '--watch',
    description:
      'On a screen, show what models write while they write it, and the last log line of each running step. Other outputs stay as they are.',
  },
  { name: '--no-ask', description: 'Do not ask open questions at this terminal: leave them to review.' },
  ...durabilityFlags,
  { name: '--quiet', description: 'Show no progress, and ask no questions.' },
];

/** Starts the run, resumes it, or gives it an order; answers no handle when another process drives the run. */
export type Begin = (options: DriveOptions) => Promise<Result<OrderReply>>;

/** Reports the end of the run and picks the exit code. */
export type Conclude = (last: DriveOutcome) => ExitCode;

/** Everything needed to drive a run in this process. */
interface Driving {
  readonly call: Call;
  readonly engine: Engine;
  /** The events before this process took over. */
  readonly history: History;
  readonly telemetry: RunTelemetry;
  readonly leftOut: LeftOutWatch;
  /** The inspector, if it is open. */
  readonly page: Pick<Inspector, 'url' | 'hear'> | undefined;
}

/**
 * Drives the run from rest to rest, as long as the person at this terminal answers its gates. `history` covers the events
 * before this call.
 */
export async function drive(
  call: Call,
  engine: Engine,
  history: History,
  begin: Begin,
  end: Conclude = (last) => conclude(call, last),
): Promise<ExitCode> {
  if (!call.given.has('ui')) return (await driveTraced({ call, engine, history, page: undefined }, begin, end)).code;
  const opened = await openInspector(call, engine);
  if (!opened.ok) return refuse(call, opened.error);
  const { interrupted, close, ...page } = opened.value;
  call.terminal.say([[span('inspector: '), copyable(page.url, 'strong')]]);
  try {
    const { last, code } = await driveTraced({ call, engine, history, page }, begin, end);
    if (!isWorthStaying(last)) return code;
    const stopped = interrupted();
    call.terminal.say([[span('the inspector goes on serving until Ctrl-C: ', 'dim'), copyable(page.url, 'dim')]]);
    await stopped;
    return code;
  } finally {
    await close();
  }
}

/** Someone who stopped the run wants to leave, and a run that never started has nothing to show. */
function isWorthStaying(last: DriveOutcome): boolean {
  return last.kind === 'elsewhere' || (last.kind === 'rested' && !last.told);
}

interface Concluded {
  readonly last: DriveOutcome;
  readonly code: ExitCode;
}

/** The end of the run is shown before its telemetry is sent, which may take seconds and may be interrupted. */
async function driveTraced(
  untraced: Omit<Driving, 'telemetry' | 'leftOut'>,
  begin: Begin,
  end: Conclude,
): Promise<Concluded> {
  const { call, engine } = untraced;
  const telemetry = await telemetryFor(engine, call);
  try {
    const last = await driveLegs({ ...untraced, telemetry, leftOut: leftOutWatch() }, begin);
    return { last, code: end(last) };
  } finally {
    await telemetry.close();
  }
}

async function driveLegs(driving: Driving, begin: Begin): Promise<DriveOutcome> {
  const { call, engine } = driving;
  const left = new Set<string>();
  let leg = await goOn(driving, begin);
  let last = leg;
  while (last.kind === 'rested' && last.report.status === 'waiting' && !last.told && mayAsk(call)) {
    const { run } = last.report;
    const asked = await askOpenGates(call, engine, run, left);
    if (asked === undefined) break;
    leg = await goOn(driving, async (options) =>
      asked === 'expired' ? handleOf(await engine.resume(run, options)) : engine.order(run, asked, unsigned(options)),
    );
    if (leg.kind === 'refused') sayIssues(call.given, leg.issues);
    else last = leg;
  }
  return last;
}

/** The options of an order, which itself says who gives it. */
export function unsigned({ by: _, ...options }: DriveOptions): Omit<DriveOptions, 'by'> {
  return options;
}

export function handleOf(begun: Result<RunHandle>): Result<OrderReply> {
  return begun.ok ? good({ handle: begun.value }, begun.warnings) : begun;
}

async function goOn(driving: Driving, begin: Begin): Promise<DriveOutcome> {
  const { call, history, telemetry, page } = driving;
  const wait = page !== undefined || call.given.has('wait');
  const progress = progressOf(call, history);
  telemetry.noteThrough(progress.note);
  let seen: RunView | undefined;
  const onEvents: Listener = (events, state, blob) => {
    seen = state;
    progress.see(events, state);
    if (!call.given.has('quiet')) {
      for (const text of driving.leftOut(events, blob)) progress.note([span(text, 'warn')]);
    }
    if (wait) for (const { event } of events) noteQuestion(driving, state.id, event, progress);
    telemetry.see(events, state, blob);
  };
  const begun = await begin({
    onEvents,
    onChildEvents: telemetry.see,
    by: orderer(),
    wait,
    ...tapeOf(call),
    ...telemetry.options,
    ...defined({
      onDelta: listenerOf(progress.hear, page?.hear),
      onLogs: listenerOf(progress.hearLogs, telemetry.hearLogs),
    }),
  });
  if (!begun.ok || begun.value.handle === undefined) progress.finish();
  if (!begun.ok) return { kind: 'refused', issues: begun.error };
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

/** A single listener for several; undefined if there is none. */
function listenerOf<T>(...listeners: readonly (((heard: T) => void) | undefined)[]): ((heard: T) => void) | undefined {
  const known = listeners.filter((each) => each !== undefined);
  return known.length === 0
    ? undefined
    : (heard) => {
        for (const hear of known) hear(heard);
      };
}

function tapeOf({ given }: Call): Pick<DriveOptions, 'record' | 'replay'> {
  const record = given.text('record');
  const replay = given.text('replay');
  return { ...defined({ record, replay }) };
}

/** A gate's question is shown together with the way to answer it. */
function noteQuestion({ call: { given }, page }: Driving, run: string, event: Event, { note }: Progress): void {
  if (event.type !== 'gate.opened') return;
  const where =
    page === undefined ? commandLine(given, 'gates', run, event.gate) : `${page.url}#run=${run}&gate=${event.gate}`;
  note([span(`${event.gate} waits for an answer: `, 'warn'), copyable(where, 'warn')]);
}
