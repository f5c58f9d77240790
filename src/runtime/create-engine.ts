// Composes an engine: a journal, the capabilities a template names, and a driver for each run of this process.
import { join, resolve } from 'node:path';
import { present } from '../base/fault.ts';
import { issue } from '../base/issue.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { bad, good, type Result } from '../base/result.ts';
import type { Capability } from '../capabilities/capability.ts';
import { confine } from '../capabilities/files.ts';
import { reach } from '../capabilities/http/access.ts';
import { createRegistry, type Registry } from '../capabilities/registry.ts';
import { boundedCount, type CountTokens, estimateTokens } from '../context/tokens.ts';
import type { Command } from '../engine/record/command.ts';
import { leadOver } from '../engine/state/run-time.ts';
import { newState, type RunState } from '../engine/state/state.ts';
import type { Embedder } from '../llm/embedder.ts';
import type { EmbeddingsProfile } from '../model/profile.ts';
import { newHolder } from '../store/holder.ts';
import type { Lease } from '../store/lease.ts';
import { listingsBeside, ownFilesOf } from '../store/own-files.ts';
import { openSqliteJournal } from '../store/sqlite-journal.ts';
import { defined } from '../template/keys/readers.ts';
import type { Template } from '../template/template.ts';
import { directedGraphOf } from '../view/graph/directed.ts';
import { graphOfRun } from '../view/graph/export.ts';
import { openGatesOf } from '../view/open-gates.ts';
import type { DriveOptions, Engine, ForkOptions, ForkPoint, LoadOptions, RunHandle } from './api/engine.ts';
import type { EngineOptions } from './api/engine-options.ts';
import { missionFor, modelsNeeded, type Pursuit, readPursuit } from './api/pursuit.ts';
import { driven, ended } from './api/run-issues.ts';
import { beginChild } from './begin/begin-child.ts';
import { beginningOf, firstOrders, keepBeginning } from './begin/fork-run.ts';
import { goneFrom } from './begin/gone.ts';
import { lackingIn } from './begin/lacking.ts';
import { newRunId } from './begin/run-id.ts';
import { childRuns, stirringIn } from './drive/child-runs.ts';
import { LEASE_TIME, launch } from './drive/launch.ts';
import { sharedLimits } from './drive/shared-limits.ts';
import { findRun, finishedIn, readRun, readState, summaries } from './journal/read-run.ts';
import { loadDocument, loadFile, registryFor } from './load/load-file.ts';
import { secretsAround, secretsGiven, secretsWritten } from './load/named-secrets.ts';
import { narrowBudget } from './load/narrow-budget.ts';
import { acceptInput, inputOf, rootsOf } from './load/run-input.ts';
import { unaskable, unaskableStill, unreachable } from './load/unaskable.ts';
import { withoutDifferences } from './lock/lock-at-load.ts';
import { runMission } from './mission/run-mission.ts';
import { ordering, type TakingUp } from './order/ordering.ts';
import { embeddingsAsker } from './perform/ask-embeddings.ts';
import { modelAsker } from './perform/ask-model.ts';
import { discoverer, toolFinder } from './perform/discover.ts';
import { learningFrom } from './perform/learn.ts';
import { lockGuard } from './perform/lock-guard.ts';
import { modelClients } from './perform/model-clients.ts';
import { performer } from './perform/perform.ts';
import { redactedTape } from './perform/redacted-tape.ts';
import { listedBy, serversFor } from './perform/servers-for.ts';
import { boundary } from './ports/boundary.ts';
import { steadyClock, systemClock } from './ports/clock.ts';
import { openTape, type Tape } from './ports/tape.ts';
import { installedTokenizer } from './ports/tokenizer.ts';

/** @throws StoreRefused when the store cannot be used */
export function createEngine(options: EngineOptions = {}): Engine {
  const { clock = systemClock, surroundings = process.env, capabilities = [], models = {} } = options;
  const { onLog = () => undefined, standIn } = options;
  const answering = { models, embedder: options.embedder };
  const folder = resolve(options.folder ?? '.');
  const store = options.store ?? join(folder, '.reconverge', 'runs.db');
  const { durability = 'strict', access = 'write' } = options;
  const journal = options.journal ?? openSqliteJournal(store, { durability, access });
  // One for all runs: sessions with servers outlive them, and what a run gets back must not hold a secret of any.
  const guard = boundary(surroundings);
  const cache = options.journal === undefined ? listingsBeside(store) : undefined;
  const kept = options.journal === undefined ? ownFilesOf(store) : [];
  const clientsFor = modelClients(models, guard);
  const servers = serversFor(guard, () => clock.now(), cache);
  const learning = learningFrom(journal, options.learning !== false && surroundings.RECONVERGE_LEARNING !== 'off');
  const registries = new Map<Template, { readonly registry: Registry; readonly own: readonly Capability[] }>();
  /** What templates were loaded with beside the capabilities of this engine, by run. */
  const brought = new Map<string, readonly Capability[]>();
  /** The runs that this engine drives itself. */
  const driving = new Map<string, RunHandle>();

  async function registryOf(
    template: Template,
    base: string,
    own: readonly Capability[] = [],
  ): Promise<Result<Registry>> {
    const known = registries.get(template)?.registry;
    return known === undefined ? registryFor(template, base, [...capabilities, ...own], servers.pinned) : good(known);
  }

  async function embedderFor(profile: EmbeddingsProfile): Promise<Embedder> {
    if (options.embedder !== undefined) return options.embedder;
    const { openaiEmbedder } = await import('../llm/openai-embedder.ts');
    return openaiEmbedder('embeddings', profile, guard);
  }

  async function counter(): Promise<CountTokens> {
    if (options.countTokens !== undefined) return boundedCount(options.countTokens);
    return (await installedTokenizer()) ?? estimateTokens;
  }

  /** No model is asked. */
  function isAnswered({ player }: Tape): boolean {
    return player !== undefined || standIn !== undefined;
  }

  function tapeFor(tape: Tape, template: Template, input: Json, isChild: boolean): Tape {
    if (tape.player === undefined && tape.keep === undefined) return tape;
    const secrets = [...secretsAround(template, surroundings), ...secretsWritten(template), ...secretsGiven(input)];
    return redactedTape(tape, (value) => guard.redact(value, secrets), isChild);
  }

  function drive(
    lease: Lease,
    state: RunState,
    input: Json,
    registry: Registry,
    countTokens: CountTokens,
    given: Tape,
    first: readonly Command[],
    { onEvents = () => undefined, onDelta, wait = false }: DriveOptions,
  ): RunHandle<never> {
    const { template } = state;
    const run = lease.stream;
    const roots = rootsOf(state, input);
    const tape = tapeFor(given, template, input, state.parent !== undefined);
    const time = steadyClock(clock, leadOver(state, clock.now()));
    const children = childRuns({
      journal,
      clock,
      state,
      begin: (call) => beginChild(nurseryOf(state, tape, onDelta), state, call),
      goOn: (child) => takeUp(child, false, defined<DriveOptions>({ onDelta }), { tape }),
      takeToEnd: (child) => takeUp(child, true, {}),
    });
    const lock = lockGuard({ template, folder: state.folder, servers, redact: guard.redact });
    const act = performer({
      run,
      template,
      registry,
      files: confine(roots, state.folder, kept),
      http: reach(template.http),
      boundary: guard,
      askModel: modelAsker({ template, modelFor: clientsFor(), boundary: guard, clock, onDelta, tape, lock }),
      askEmbeddings: embeddingsAsker({ template, embedderFor, boundary: guard, clock, tape }),
      discover: discoverer(template, state.folder, servers, lock),
      lock,
      toolOf: toolFinder(template, state.folder, servers),
      tape,
      children,
      read: (digest) => JSON.parse(present(journal.blob(digest), `the value ${digest}`)) as Json,
      log: (step, message) => onLog(run, step, message),
    });
    const perform = standIn === undefined ? act : standIn(template)(act);
    const launched = launch({
      journal,
      lease,
      state,
      perform,
      clock: time,
      limits: sharedLimits(clock),
      machineTime: clock.now,
      countTokens,
      onEvents: (events, after) => onEvents(events, after, (digest) => journal.blob(digest)),
      wait,
      children,
      stirring: () => children.stirring(),
      atRest: async () => {
        await children.settled();
        await tape.save?.();
        learning.teach(state, tape);
      },
      first,
    });
    const handle: RunHandle = {
      ...launched,
      stop() {
        children.stop();
        launched.stop();
      },
    };
    const forget = (): void => {
      if (driving.get(run) === handle) driving.delete(run);
    };
    driving.set(run, handle);
    handle.done.then(forget, forget);
    // What a definition says of the output, the contracts of its steps hold; the compiler cannot know that.
    return handle as RunHandle<never>;
  }

  /** What runs begin with that steps of this one start. */
  function nurseryOf(parent: RunState, tape: Tape, onDelta: DriveOptions['onDelta']): Parameters<typeof beginChild>[0] {
    const own = brought.get(parent.id) ?? [];
    return {
      journal,
      clock,
      registryOf: (template) => registryFor(template, parent.folder, [...capabilities, ...own], servers.pinned),
      unasked: (template) => (isAnswered(tape) ? [] : unaskable(template, boundary(surroundings), answering)),
      learned: (template) => learning.learnedFor(template, tape),
      async drive(lease, state, input, registry, first) {
        brought.set(lease.stream, own);
        const options = defined<DriveOptions>({ onDelta });
        return drive(lease, state, input, registry, await counter(), tape, [first], options);
      },
    };
  }

  /** What a run that goes on needs. */
  async function needed(state: RunState): Promise<Result<Registry>> {
    const registry = await registryOf(state.template, state.folder, brought.get(state.id));
    if (!registry.ok) return registry;
    const gone = goneFrom(registry.value, state);
    return gone.length > 0 ? bad(gone) : registry;
  }

  /** Takes the lease of a run that nobody drives, and goes on with it, or only `ends` it. */
  async function takeUp(
    named: string,
    ends: boolean,
    { by = 'api', ...options }: DriveOptions,
    { order: ordered, post, tape: given }: TakingUp = {},
  ): Promise<Result<RunHandle<never>>> {
    const found = findRun(journal, named);
    if (!found.ok) return found;
    const read = readState(journal, found.value);
    if (!read.ok) return read;
    const state = read.value;
    if (state.status === 'ended') return bad([ended(state)]);
    const registry = ends ? createRegistry([]) : await needed(state);
    if (!registry.ok) return registry;
    const lacking = ends ? [] : await lackingIn(journal, state, needed);
    if (lacking.length > 0) return bad(lacking);
    const tape = given === undefined ? await openTape(options, state.template.name, folder) : good(given);
    if (!tape.ok) return tape;
    const unasked = ends || isAnswered(tape.value) ? [] : unaskableStill(state, boundary(surroundings), answering);
    if (unasked.length > 0) return bad(unasked);
    const countTokens = await counter();
    const acquired = journal.acquire(state.id, newHolder(), clock.now(), LEASE_TIME);
    if (!acquired.ok) return bad([driven(state.id, acquired.holder.pid)]);
    // What another driver wrote before it let go of the lease counts.
    const current = journal.header(state.id)?.version === state.version;
    const latest = current ? read : readState(journal, state.id);
    if (!latest.ok) return latest;
    const taken = latest.value;
    post?.();
    const lead = leadOver(taken, clock.now());
    const at = clock.now() + lead;
    // What has expired while nobody drove the run ends before anything else begins.
    const first: readonly Command[] = [
      { type: 'attach', at, by, lead },
      { type: 'expire', at },
      ...(ordered === undefined ? [] : [ordered(at)]),
      ...(ends ? [] : stirringIn(journal, taken).map((step) => ({ type: 'wake', step, at }) as const)),
    ];
    return good(
      drive(acquired.lease, taken, inputOf(taken, journal), registry.value, countTokens, tape.value, first, options),
    );
  }

  const { order, resume } = ordering(journal, clock, (run) => driving.get(run), takeUp);

  const engine: Engine = {
    async load(template: string | JsonObject, { environment, capabilities: granted = [] }: LoadOptions = {}) {
      const own = { own: [...capabilities, ...granted], tools: servers.tools, listed: listedBy(servers, guard) };
      const settings = { ...own, environment, surroundings };
      const loaded = await (typeof template === 'string'
        ? loadFile(template, folder, settings)
        : loadDocument(template, folder, settings));
      if (!loaded.ok) return loaded;
      registries.set(loaded.value.template, { registry: loaded.value.registry, own: granted });
      return good(loaded.value.template, loaded.warnings);
    },

    async start(
      given,
      { input = {}, budget = {}, raise = false, reuse, given: results = {}, traceparent, by = 'api', ...options } = {},
    ) {
      const registry = await registryOf(given, folder);
      if (!registry.ok) return registry;
      const narrowed = narrowBudget(given, budget, raise);
      if (!narrowed.ok) return narrowed;
      const accepted = acceptInput(narrowed.value, input);
      if (!accepted.ok) return accepted;
      const reused = reuse === undefined ? good([]) : finishedIn(journal, reuse);
      if (!reused.ok) return reused;
      const tape = await openTape(options, given.name, folder);
      if (!tape.ok) return tape;
      const template = isAnswered(tape.value) ? withoutDifferences(narrowed.value) : narrowed.value;
      const unasked = isAnswered(tape.value) ? [] : unaskable(template, boundary(surroundings), answering);
      if (unasked.length > 0) return bad(unasked);
      const run = newRunId();
      brought.set(run, registries.get(given)?.own ?? []);
      const at = clock.now();
      const countTokens = await counter();
      const lease = await journal.create({ id: run, title: given.name, createdAt: at }, newHolder(), LEASE_TIME);
      const first: Command = {
        type: 'start-run',
        at,
        run,
        template,
        input: accepted.value,
        folder,
        by,
        reuse: reused.value,
        given: results,
        learned: learning.learnedFor(template, tape.value),
        ...defined({ traceparent }),
      };
      const state = newState(template);
      state.folder = folder;
      return good(drive(lease, state, accepted.value, registry.value, countTokens, tape.value, [first], options));
    },

    async pursue(
      goal,
      { attachments, kinds, sequential, askBelow, frame, budget, capabilities: own, ...options } = {},
    ) {
      if (goal.trim() === '')
        return bad([issue('INPUT_INVALID', 'the goal is empty', { hint: 'say what is to be done' })]);
      const pursuit = { attachments, kinds, sequential, askBelow, frame, budget };
      const template = await engine.load(
        missionFor(defined<Pursuit>(pursuit)),
        defined<LoadOptions>({ capabilities: own }),
      );
      if (!template.ok) return template;
      if (options.replay === undefined) {
        const needed = modelsNeeded(template.value, readPursuit(template.value, goal));
        const issues = [...needed.issues, ...unreachable(needed.models, boundary(surroundings), models)];
        if (issues.length > 0) return bad(issues);
      }
      return engine.start(template.value, { ...options, input: { goal } });
    },

    run: (mission, options) => runMission(engine, capabilities, mission, options),
    execute: (plan, mission, options) => runMission(engine, capabilities, mission, options, plan),

    resume,
    order,

    async fork(named: string, point: ForkPoint, given: ForkOptions = {}): Promise<Result<RunHandle<never>>> {
      const { by = 'api', why, onEvents, onDelta, record, replay, wait, ...differences } = given;
      const read = readRun(journal, named, clock.now());
      if (!read.ok) return read;
      const at = clock.now();
      const id = newRunId();
      const beginning = beginningOf(read.value, point, differences, { id, at, by, why });
      if (!beginning.ok) return beginning;
      const { template, state } = beginning.value;
      const own = brought.get(read.value.state.id) ?? [];
      const registry = await registryOf(template, state.folder, own);
      if (!registry.ok) return registry;
      brought.set(id, own);
      const gone = goneFrom(registry.value, state);
      if (gone.length > 0) return bad(gone);
      const options = defined<DriveOptions>({ onEvents, onDelta, record, replay, wait });
      const tape = await openTape(options, template.name, folder);
      if (!tape.ok) return tape;
      const unasked = isAnswered(tape.value) ? [] : unaskable(template, boundary(surroundings), answering);
      if (unasked.length > 0) return bad(unasked);
      const countTokens = await counter();
      const lease = await keepBeginning(journal, beginning.value, id, at);
      const first = firstOrders(beginning.value, differences, at, by);
      return good(
        drive(lease, state, inputOf(state, journal), registry.value, countTokens, tape.value, first, options),
      );
    },

    runs: () => summaries(journal, clock.now()),
    gates(named) {
      const read = readRun(journal, named, clock.now());
      return read.ok ? good(openGatesOf(read.value.state)) : read;
    },
    graph(named) {
      const read = readRun(journal, named, clock.now());
      return read.ok ? good(directedGraphOf(graphOfRun(read.value.state))) : read;
    },
    lessons: learning.lessons,
    read: (named) => readRun(journal, named, clock.now()),
    async close() {
      await servers.close();
      await journal.close();
    },
  };
  return engine;
}
