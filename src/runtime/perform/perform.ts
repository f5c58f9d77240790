// Performs the effects of one run: calls capabilities, asks planners and models, and always returns an outcome.
import type { Digest } from '../../base/digest.ts';
import { type Failure, failure } from '../../base/failure.ts';
import { defined, isJsonArray, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { bad, good } from '../../base/result.ts';
import { callCapability } from '../../capabilities/call.ts';
import type { CallContext, Capability } from '../../capabilities/capability.ts';
import { CapabilityError, failureOf } from '../../capabilities/capability-error.ts';
import { clarify } from '../../capabilities/clarify.ts';
import type { FileAccess } from '../../capabilities/file-access.ts';
import type { HttpAccess } from '../../capabilities/http/access.ts';
import { lispCapability } from '../../capabilities/lisp-capability.ts';
import { plainJson } from '../../capabilities/plain-json.ts';
import type { Registry } from '../../capabilities/registry.ts';
import type { Declaration } from '../../contract/declaration.ts';
import type { EffectOutcome } from '../../engine/record/command.ts';
import type { AskModel, AskPlanner, CallCapability } from '../../engine/record/effect.ts';
import { limitError } from '../../lisp/exception.ts';
import { isMiss } from '../../llm/cassette.ts';
import { missed } from '../../llm/cassette-model.ts';
import { featureName } from '../../llm/feature-words.ts';
import { briefInFull, readInFull, type ValueReader } from '../../planners/load-references.ts';
import { advance } from '../../planners/planner.ts';
import { plannerOf } from '../../planners/planner-of.ts';
import { priceOfCall } from '../../planning/estimate.ts';
import type { Template } from '../../template/template.ts';
import type { CallOrigin } from '../logs/call-log.ts';
import { noteIn, type RunLog } from '../logs/run-log.ts';
import type { Boundary } from '../ports/boundary.ts';
import { stopwatch } from '../ports/clock.ts';
import type { Tape } from '../ports/tape.ts';
import type {
  AbandonedWork,
  CallRequest,
  ChildCall,
  ChildRuns,
  Perform,
  SuspendedWork,
  Work,
  WorkOutcome,
} from '../ports/work.ts';
import { untraced, type WorkTrace } from '../ports/work-trace.ts';
import type { AskEmbeddingsEffect } from './ask-embeddings.ts';
import type { AskModelEffect } from './ask-model.ts';
import type { Discover } from './discover-tools.ts';
import { type LockGuard, refusedByLock } from './lock-guard.ts';
import { tracedHttp } from './traced-http.ts';

export interface PerformOptions {
  readonly run: string;
  readonly template: Template;
  readonly registry: Registry;
  readonly files: FileAccess;
  readonly http: HttpAccess;
  readonly boundary: Boundary;
  readonly askModel: AskModelEffect;
  readonly askEmbeddings: AskEmbeddingsEffect;
  /** Finds tools of servers that the run does not have. */
  readonly discover: Discover;
  /** The capability of a tool that was found on a server. */
  readonly toolOf: (declaration: Declaration) => Capability | undefined;
  readonly tape: Tape;
  readonly lock: LockGuard;
  /** A large value that is kept with the run. */
  readonly read: (digest: Digest) => Json;
  readonly children: ChildRuns;
  readonly log: RunLog;
}

export function performer(options: PerformOptions): Perform {
  const { keep, save } = options.tape;
  if (keep === undefined) return (work, signal, trace = untraced) => perform(options, work, signal, trace);
  return async (work, signal, trace = untraced) => {
    const outcome = await perform(options, work, signal, trace);
    // The tape is saved before the journal, so that a resumed run has recorded every exchange. An error of this save
    // appears again when the tape is saved at the end.
    if (taped.has(work.type)) await save?.().catch(() => undefined);
    return outcome;
  };
}

/** The kinds of work that a tape records. */
const taped: ReadonlySet<Work['type']> = new Set(['ask-model', 'ask-embeddings', 'call-capability']);

async function perform(
  options: PerformOptions,
  work: Work,
  signal: AbortSignal,
  trace: WorkTrace,
): Promise<WorkOutcome> {
  switch (work.type) {
    case 'ask-planner':
      return plan(options, work);
    case 'ask-model': {
      const outcome = await options.askModel(work, signal, trace);
      noteLeftOut(options, work, outcome, trace);
      return outcome;
    }
    case 'ask-embeddings':
      return options.askEmbeddings(work, signal, trace);
    case 'find-files':
      return good(await findFiles(options.files, work.paths));
    case 'discover-tools':
      return options.discover(work.from, work.agreed);
    case 'call-capability': {
      if (isChildCall(work)) return startRun(options, work, signal, trace);
      // A failed call costs its reservation too.
      const bill = priceOfCall(work.capability, options.template.capabilities);
      const origin = lockedOrigin(options, work);
      if (origin === undefined) return { ...(await callTaped(options, work, signal, trace)), bill };
      const held = await options.lock.tools([origin], work.agreed);
      if (!held.ok) {
        const why = options.boundary.redactFailure(held.error.failure);
        return { ...refusedByLock({ ...held.error, failure: why }), bill: {} };
      }
      const outcome = await callTaped(options, work, signal, trace);
      return { ...outcome, bill, ...defined({ lock: held.value }) };
    }
  }
}

function isChildCall(work: CallCapability): work is ChildCall {
  return work.child !== undefined;
}

/** The tape does not record the child run itself, but the exchanges of its steps, over which a replay runs the steps again. */
async function startRun(
  { boundary, children, read }: PerformOptions,
  work: ChildCall,
  signal: AbortSignal,
  trace: WorkTrace,
): Promise<EffectOutcome | SuspendedWork | AbandonedWork> {
  const { surroundings = [] } = work;
  const secret = surroundings.find((name) => name.startsWith('secret.'));
  if (secret !== undefined) return bad(kept(secret, work));
  let input: Json;
  try {
    const given = boundary.fillIn(work.input, surroundings);
    // The journal of the child run keeps its input, so large values are filled in.
    input = work.plans === true ? plainJson(briefInFull(given, readerFor(read))) : given;
  } catch (thrown) {
    return bad(failureOf(thrown));
  }
  const context = defined({ traceparent: trace.traceparent(), tracestate: trace.tracestate() });
  return children.perform({ ...work, input, ...context }, signal);
}

function kept(secret: string, { capability }: ChildCall): Failure {
  const message = `\${${secret}} would be stored with the child run of ${capability}; write it in a step of that template`;
  return failure('CHILD_GIVEN_SECRET', message, { retry: 'never' });
}

/** A planner is pure, so it runs again over the recorded outcomes, up to its next call. */
function plan({ template, read }: PerformOptions, { planner, brief, said }: AskPlanner): EffectOutcome | CallRequest {
  // For a planner that is a capability, large values are filled in when it is called.
  const readable = planner.kind === 'capability' ? brief : readInFull(brief, { read, refuse: limitError });
  const timed = { ...template, now: stopwatch };
  const progress = advance(plannerOf(planner, timed), readable, said);
  if (!progress.done) return { asks: progress.call };
  const { end } = progress;
  if (!end.ok) return end;
  const { fragment: value, found } = end.value;
  return { ...good(value), ...defined({ found }) };
}

/**
 * The origin of a tool that must be compared with the lock file before the call. Undefined for a capability of the program,
 * and in a replay, which calls nothing.
 */
function lockedOrigin({ tape, template }: PerformOptions, work: CallCapability): Declaration['origin'] {
  if (tape.player !== undefined) return undefined;
  const { capability, registered } = work;
  const { capabilities } = template;
  const declared = registered ?? (Object.hasOwn(capabilities, capability) ? capabilities[capability] : undefined);
  return declared?.origin;
}

/** Replays the call from a cassette, or makes it and records it. */
function callTaped(
  options: PerformOptions,
  work: CallCapability,
  signal: AbortSignal,
  trace: WorkTrace,
): Promise<EffectOutcome> {
  const { player, keep } = options.tape;
  const making = (): Promise<EffectOutcome> => call(options, work, signal, trace);
  return player === undefined && keep === undefined ? making() : callOnTape(options.tape, work, signal, making);
}

async function callOnTape(
  tape: Tape,
  work: CallCapability,
  signal: AbortSignal,
  making: () => Promise<EffectOutcome>,
): Promise<EffectOutcome> {
  const asking = { kind: 'capability', name: work.capability, request: work.input } as const;
  if (tape.player !== undefined) {
    const found = tape.player.play(asking);
    if (isMiss(found)) return bad(missed(asking, found));
    const { outcome } = found;
    return 'failure' in outcome ? bad(outcome.failure) : good(outcome.value);
  }
  const outcome = await making();
  if (tape.keep !== undefined && !signal.aborted) {
    const kept = outcome.ok ? { value: outcome.value } : { failure: outcome.error };
    tape.keep({ step: work.step, ...asking, outcome: kept });
  }
  return outcome;
}

async function call(
  { run, template, registry, toolOf, files, http, boundary, log, read }: PerformOptions,
  work: CallCapability,
  signal: AbortSignal,
  trace: WorkTrace,
): Promise<EffectOutcome> {
  const { capability: name, input: given } = work;
  const { registered } = work;
  const capability = registered === undefined ? registry.get(name) : ofRun(registered, template, toolOf);
  if (capability === undefined)
    return bad(failure('CAPABILITY_UNKNOWN', `there is no capability "${name}"`, { retry: 'never' }));
  let input: Json;
  try {
    input = boundary.fillIn(given, work.surroundings ?? []);
  } catch (thrown) {
    return bad(boundary.redactFailure(failureOf(thrown)));
  }
  if (work.plans === true) input = briefInFull(input, readerFor(read));
  const written = log.begin(originOf(work, trace));
  const ctx: CallContext = {
    signal,
    idempotencyKey: work.key,
    attempt: work.attempt,
    delivery: work.delivery,
    ...defined({ feedback: work.feedback }),
    run: { id: run },
    step: work.step,
    attachments: work.attachments ?? [],
    files,
    http: tracedHttp(http, trace),
    // Getters in a literal would cost more than all else here.
    traceparent: trace.traceparent(),
    tracestate: trace.tracestate(),
    log: written.log,
    secret: boundary.secret,
    env: boundary.env,
    clarify,
  };
  const called = await callCapability(capability, input, ctx, template.limits.resultBytes);
  written.end();
  if (called.ok) return good(boundary.redact(called.value));
  return bad(boundary.redactFailure(called.error));
}

/** Says in the log of the attempt which parts of its request the model's server does not take. */
function noteLeftOut({ log, tape }: PerformOptions, work: AskModel, outcome: WorkOutcome, trace: WorkTrace): void {
  if (tape.player !== undefined || !('ok' in outcome) || !outcome.ok) return;
  const leftOut = ownProperty(outcome.value, 'leftOut');
  const parts = isJsonArray(leftOut) ? leftOut.filter((part) => typeof part === 'string') : [];
  if (parts.length === 0) return;
  noteIn(log, originOf(work, trace), {
    level: 'warn',
    source: `model ${work.request.model}`,
    message: `the model's server does not take ${parts.map(featureName).join(', ')}; the request went without`,
  });
}

function originOf({ step, attempt, delivery, call }: CallCapability | AskModel, trace: WorkTrace): CallOrigin {
  return { step, attempt, delivery, ...defined({ call }), traceparent: () => trace.own() };
}

/** Throws when a capability reads more than it may. */
function readerFor(read: PerformOptions['read']): ValueReader {
  return {
    read,
    refuse: (message, hint) => new CapabilityError('CONTEXT_TOO_LARGE', `${message}; ${hint}`, { retry: 'never' }),
  };
}

function ofRun(
  declaration: Declaration,
  { limits }: Template,
  toolOf: PerformOptions['toolOf'],
): Capability | undefined {
  const { lisp } = declaration;
  return lisp === undefined ? toolOf(declaration) : lispCapability(declaration, lisp, limits.lisp);
}

/** Returns `{missing: [{path, why}]}`, in the order of the paths. */
async function findFiles(files: FileAccess, paths: readonly string[]): Promise<JsonObject> {
  const looked = await Promise.all(paths.map((path) => missing(files, path)));
  return { missing: looked.flat() };
}

async function missing(files: FileAccess, path: string): Promise<readonly JsonObject[]> {
  try {
    await files.resolve(path, 'read');
    return [];
  } catch (thrown) {
    if (thrown instanceof CapabilityError) return [{ path, why: thrown.message }];
    throw thrown;
  }
}
