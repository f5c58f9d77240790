// Drives a run whose lease is held here: builds its performer, its child runs and its tape, and launches its driver.
import { dirname, resolve } from 'node:path';
import { present } from '../../base/fault.ts';
import { defined, type Json } from '../../base/json.ts';
import { confine } from '../../capabilities/file-access.ts';
import { reach } from '../../capabilities/http/access.ts';
import type { Registry } from '../../capabilities/registry.ts';
import type { CountTokens } from '../../context/tokens.ts';
import type { Command } from '../../engine/record/command.ts';
import type { Recorded } from '../../engine/record/event.schema.ts';
import { watchInvariants } from '../../engine/state/invariants.ts';
import { leadOver } from '../../engine/state/run-time.ts';
import type { RunState } from '../../engine/state/state.ts';
import type { Lease } from '../../store/lease.ts';
import type { DriveOptions, RunHandle } from '../api/engine.ts';
import { version } from '../journal/package-version.ts';
import { eventsOfRun } from '../journal/read-events.ts';
import { unlessRefused } from '../journal/store-issues.ts';
import { secretsAround, secretsGiven, secretsWritten } from '../load/named-secrets.ts';
import { rootsOf } from '../load/run-input.ts';
import { hostLogs } from '../logs/host-logger.ts';
import { type RunLog, runLog } from '../logs/run-log.ts';
import { embeddingsAsker } from '../perform/ask-embeddings.ts';
import { modelAsker } from '../perform/ask-model.ts';
import { discoverer, toolFinder } from '../perform/discover-tools.ts';
import { lockGuard } from '../perform/lock-guard.ts';
import { performer } from '../perform/perform.ts';
import { redactedTape } from '../perform/redacted-tape.ts';
import { steadyClock } from '../ports/clock.ts';
import { caught } from '../ports/listeners.ts';
import type { Tape } from '../ports/tape.ts';
import type { ChildRuns, Perform } from '../ports/work.ts';
import { isFollowed } from '../trace/followed-elsewhere.ts';
import type { Host } from '../trace/host.ts';
import { hostTrace } from '../trace/host-trace.ts';
import { journalTrace, type RunTrace, silent } from '../trace/run-trace.ts';
import { childRuns } from './child-runs.ts';
import { type EngineParts, eventsFor, viewOf } from './engine-parts.ts';
import { launch } from './launch.ts';
import { sharedLimits } from './shared-limits.ts';

/** A run that is about to be driven. */
export interface ReadyRun {
  readonly lease: Lease;
  readonly host?: Host | undefined;
  readonly state: RunState;
  readonly input: Json;
  readonly registry: Registry;
  readonly countTokens: CountTokens;
  readonly tape: Tape;
  /** The first commands for the run. */
  readonly first: readonly Command[];
}

export function driveRun(parts: EngineParts, run: ReadyRun, options: DriveOptions): RunHandle<never> {
  const { journal, clock, learning, isParanoid } = parts;
  const { lease, state, countTokens, first } = run;
  const { onEvents, wait = false } = options;
  const heard = onEvents === undefined ? () => undefined : caught('onEvents', lease.stream, onEvents);
  const view = viewOf(parts, state);
  const tape = tapeFor(parts, run);
  const time = steadyClock(clock, leadOver(state, clock.now()));
  const children = childRunsOf(parts, state, tape, options);
  const stopping = new AbortController();
  const log = runLogFor(parts, lease.stream, options);
  const trace = traceFor(parts, run, options);
  const perform = performFor(parts, run, { tape, children, log, options, stopping: stopping.signal });
  const launched = launch({
    journal,
    lease,
    state,
    perform: (work, signal) => {
      const own = trace.of(work);
      return own.within(() => perform(work, signal, own));
    },
    clock: time,
    limits: sharedLimits(clock),
    machineTime: clock.now,
    countTokens,
    onEvents(events) {
      trace.see(events);
      if (onEvents !== undefined) heard(eventsFor(parts, events), view, (digest) => journal.blob(digest));
      if (events.some(({ event }) => event.type === 'plan.requested' && event.step === options.stopAtPlanner)) stop();
    },
    check: isParanoid ? watchInvariants() : undefined,
    wait,
    children,
    stirring: () => children.stirring(),
    atRest: async () => {
      await children.settled();
      log.flush();
      trace.rest();
      await tape.save?.();
      unlessRefused(() => learning.teach(state, tape));
    },
    first,
  });
  function stop(): void {
    stopping.abort();
    children.stop();
    launched.stop();
  }
  const handle: RunHandle = { ...launched, stop };
  keepWhileDriven(parts, handle, state);
  // The contracts of the steps hold what the type of a definition says about the output; the compiler cannot know that.
  return handle as RunHandle<never>;
}

function keepWhileDriven({ driving }: EngineParts, handle: RunHandle, state: RunState): void {
  const forget = (): void => {
    if (driving.get(handle.id)?.handle === handle) driving.delete(handle.id);
  };
  driving.set(handle.id, { handle, state });
  handle.done.then(forget, forget);
}

function tapeFor({ surroundings, boundary }: EngineParts, { state, input, tape }: ReadyRun): Tape {
  if (tape.player === undefined && tape.keep === undefined) return tape;
  const { template, parent } = state;
  const secrets = [...secretsAround(template, surroundings), ...secretsWritten(template), ...secretsGiven(input)];
  return redactedTape(tape, (value) => boundary.redact(value, secrets), parent !== undefined);
}

function childRunsOf(parts: EngineParts, state: RunState, tape: Tape, options: DriveOptions): ChildRuns {
  const { onDelta, onLogs, onChildEvents } = options;
  const { journal, clock, beginChild, takeUp } = parts;
  return childRuns({
    journal,
    clock,
    state,
    begin: (call) => beginChild({ state, tape, onDelta, onLogs, onChildEvents }, call),
    goOn: (child) => takeUp(child, defined({ onDelta, onLogs, onChildEvents, onEvents: onChildEvents }), { tape }),
    takeToEnd: (child) => takeUp(child, {}, { isEnding: true }),
  });
}

/** The parts of one run while it is driven. */
interface DrivenParts {
  readonly tape: Tape;
  readonly children: ChildRuns;
  readonly log: RunLog;
  readonly options: DriveOptions;
  /** Aborted when the run is told to stop. */
  readonly stopping: AbortSignal;
}

function performFor(
  parts: EngineParts,
  { lease, state, input, registry }: ReadyRun,
  { tape, children, log, options, stopping }: DrivenParts,
): Perform {
  const { journal, clock, boundary, servers, embedderFor, modelClients, storeFiles, standIn } = parts;
  const { template, folder } = state;
  const run = lease.stream;
  const onDelta = options.onDelta && caught('onDelta', run, options.onDelta);
  const lock = lockGuard({ template, folder, servers, redact: boundary.redact });
  const perform = performer({
    run,
    template,
    registry,
    files: confine(rootsOf(state, input), folder, storeFiles),
    http: reach(template.http),
    boundary,
    askModel: modelAsker({
      run,
      template,
      modelFor: modelClients(dirname(resolve(folder, template.file))),
      boundary,
      clock,
      onDelta,
      tape,
      lock,
      stopping,
    }),
    askEmbeddings: embeddingsAsker({ template, embedderFor, boundary, clock, tape, stopping }),
    discover: discoverer(template, folder, servers, lock),
    lock,
    toolOf: toolFinder(template, folder, servers),
    tape,
    children,
    read: (digest) => JSON.parse(present(journal.blob(digest), `the value ${digest}`)) as Json,
    log,
  });
  return standIn === undefined ? perform : standIn(template)(perform);
}

/** An error of the program's telemetry becomes a warning, and the run goes on. */
function traceFor(
  { journal, propagates }: EngineParts,
  { host, state, lease }: ReadyRun,
  options: DriveOptions,
): RunTrace {
  const run = lease.stream;
  const before = (version: number): readonly Recorded[] =>
    [...eventsOfRun(journal, run, { version: 0 })].filter((each) => each.version < version);
  const isOurs = host !== undefined && !isFollowed(options.onEvents);
  const trace = isOurs
    ? hostTrace({ host, state, before, blob: (digest) => journal.blob(digest) })
    : journalTrace(state);
  const safe = { ...trace, see: caught('telemetry', run, trace.see), rest: caught('telemetry', run, trace.rest) };
  return propagates ? safe : silent(safe);
}

function runLogFor({ journal, clock, boundary, onLog }: EngineParts, run: string, { onLogs }: DriveOptions): RunLog {
  const hear = onLog === undefined ? undefined : caught('onLog', run, onLog);
  const hearAll = onLogs === undefined ? undefined : caught('onLogs', run, onLogs);
  const toHost = hostLogs('reconverge', version());
  const hostHears = toHost && caught('telemetry', run, toHost);
  return runLog({
    run,
    journal,
    now: clock.now,
    redaction: boundary.textRedaction,
    onLogs(lines) {
      if (hear !== undefined)
        for (const { step, source, message } of lines)
          hear(run, step, source === undefined ? message : `${source}: ${message}`);
      hearAll?.(lines);
      hostHears?.(lines);
    },
  });
}
