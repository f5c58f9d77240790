// Composes an engine from its parts: a journal, the capabilities and models, and the ways in which runs begin and go on.
import { join, resolve } from 'node:path';
import { defined, type JsonObject } from '../base/json.ts';
import { refuseOptions } from '../base/options.ts';
import { bad, good, type Result } from '../base/result.ts';
import { boundedCount, type CountTokens, estimateTokens } from '../context/tokens.ts';
import type { Embedder } from '../llm/embedder.ts';
import type { EmbeddingsProfile } from '../model/profile.ts';
import type { Journal } from '../store/journal.ts';
import { openSqliteJournal } from '../store/sqlite-journal.ts';
import { listingsBeside, ownFilesOf } from '../store/store-files.ts';
import { openGatesOf } from '../view/open-gates.ts';
import type { Engine, ForkOptions, ForkPoint, LoadOptions, StepGraph } from './api/engine.ts';
import type { EngineOptions } from './api/engine-options.ts';
import {
  engineOptions,
  issuesOfForkPoint,
  issuesOfOptions,
  issuesOfOrder,
  listRunsOptions,
  pruneOptions,
} from './api/option-tables.ts';
import type { RunRecord } from './api/run-record.ts';
import { beginChild } from './begin/begin-child.ts';
import { forkRun } from './begin/fork-run.ts';
import { loadTemplate, startRun } from './begin/start-run.ts';
import { takeUp } from './begin/take-up.ts';
import { type EngineParts, viewOf } from './drive/engine-parts.ts';
import { runLister } from './journal/list-runs.ts';
import { pruneRuns } from './journal/prune-runs.ts';
import { findRun, readRun, readState } from './journal/read-run.ts';
import { orStoreIssue, orStoreIssueLater } from './journal/store-issues.ts';
import { logsOf } from './logs/read-logs.ts';
import { pursueGoal } from './mission/pursue-goal.ts';
import { runMission } from './mission/run-mission.ts';
import { giveOrder, resumeRun } from './order/give-order.ts';
import { learningFrom } from './perform/learning.ts';
import { modelClients } from './perform/model-clients.ts';
import { refusalStore } from './perform/refusal-store.ts';
import { serversFor } from './perform/tool-servers.ts';
import { type Boundary, boundary } from './ports/boundary.ts';
import { systemClock } from './ports/clock.ts';
import { guardedGraph } from './ports/guarded-view.ts';
import { installedTokenizer } from './ports/tokenizer.ts';
import { findHost } from './trace/host.ts';

/** @throws OptionsRefused for wrong options, and StoreRefused when the store cannot be used */
export function createEngine(options: EngineOptions = {}): Engine {
  refuseOptions('createEngine', options, engineOptions);
  return engineOf(partsOf(options, true));
}

/** An engine for the command line and the inspector, whose listeners read the state of a run itself. @throws StoreRefused */
export function createOwnEngine(options: EngineOptions): Engine {
  return engineOf(partsOf(options, false));
}

function engineOf(parts: EngineParts): Engine {
  const { journal, clock, learning, servers, capabilities } = parts;
  const read = (named: string): Result<RunRecord> =>
    orStoreIssue(() => {
      const found = readRun(journal, named, clock.now());
      return found.ok
        ? good({ ...found.value, state: viewOf({ isGuarded: parts.isParanoid }, found.value.state) })
        : found;
    });
  const lister = runLister(journal);
  const engine: Engine = {
    load: (template: string | JsonObject, given?: LoadOptions) =>
      withOptions('load', given, () => loadTemplate(parts, template, given)),
    start: (template, given) => withOptions('start', given, () => startRun(parts, template, given)),
    pursue: (goal, given) => withOptions('pursue', given, () => pursueGoal(parts, goal, given)),
    run: (mission, given) => withOptions('run', given, () => runMission(engine, capabilities, mission, given)),
    execute: (plan, mission, given) =>
      withOptions('execute', given, () => runMission(engine, capabilities, mission, given, plan)),
    resume: (named, given) => withOptions('resume', given, () => resumeRun(parts, named, given)),
    order: (named, order, given) =>
      withOptions('order', given, async () => {
        const wrong = issuesOfOrder(order);
        return wrong.length > 0 ? bad(wrong) : giveOrder(parts, named, order, given);
      }),
    fork: (named: string, point: ForkPoint, given?: ForkOptions) =>
      withOptions('fork', given, async () => {
        const wrong = issuesOfForkPoint(point);
        return wrong.length > 0 ? bad(wrong) : forkRun(parts, named, point, given);
      }),
    runs(given) {
      refuseOptions('engine.runs', given, listRunsOptions);
      return lister.list(clock.now(), given);
    },
    prune(given) {
      refuseOptions('engine.prune', given, pruneOptions);
      const now = clock.now();
      return pruneRuns(journal, lister.list(now, { patience: Number.POSITIVE_INFINITY }), now, given);
    },
    gates(named) {
      const found = read(named);
      return found.ok ? good(openGatesOf(found.value.state)) : found;
    },
    graph: (named) =>
      orStoreIssue(() => {
        const found = graphOf(parts, named);
        return found.ok ? good(guardedGraph(found.value)) : found;
      }),
    logs(named, query) {
      const wrong = issuesOfOptions('logs', query);
      if (wrong.length > 0) return bad(wrong);
      const found = orStoreIssue(() => findRun(journal, named));
      return found.ok ? orStoreIssue(() => good(logsOf(journal, found.value, query))) : found;
    },
    lessons: learning.lessons,
    read,
    async close() {
      await servers.close();
      await journal.close();
    },
  };
  return engine;
}

/** Does the work only when all its options exist; otherwise returns their issues. */
async function withOptions<T>(
  method: Parameters<typeof issuesOfOptions>[0],
  given: unknown,
  work: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const wrong = issuesOfOptions(method, given);
  return wrong.length > 0 ? bad(wrong) : orStoreIssueLater(work());
}

/** For a run that this engine drives, the graph of its driver, which grows with the run. */
function graphOf({ journal, driving }: EngineParts, named: string): Result<StepGraph> {
  const found = findRun(journal, named);
  if (!found.ok) return found;
  const driven = driving.get(found.value);
  if (driven !== undefined) return good(driven.state.graph.living);
  const read = readState(journal, found.value);
  return read.ok ? good(read.value.graph.living) : read;
}

function partsOf(options: EngineOptions, isGuarded: boolean): EngineParts {
  const {
    clock = systemClock,
    surroundings = process.env,
    capabilities = [],
    models = {},
    embedder,
    standIn,
    telemetry = true,
    propagation = true,
  } = options;
  const { onLog, learning = true, paranoid = surroundings.RECONVERGE_PARANOID === '1' } = options;
  const folder = resolve(options.folder ?? '.');
  const { journal, listings, storeFiles } = storeOf(options, folder);
  const guard = boundary(surroundings);
  const parts: EngineParts = {
    folder,
    journal,
    clock,
    surroundings,
    boundary: guard,
    servers: serversFor(guard, () => clock.now(), listings),
    learning: learningFrom(journal, learning && surroundings.RECONVERGE_LEARNING !== 'off'),
    capabilities,
    models,
    storeFiles,
    modelClients: modelClients(models, guard, { store: refusalStore(journal), now: () => clock.now() }),
    embedderFor: (profile) => embedderFor(profile, embedder, guard),
    tokenCounter: () => tokenCounter(options.countTokens),
    isParanoid: paranoid,
    isGuarded: isGuarded || paranoid,
    onLog,
    findHost: async () => (telemetry && standIn === undefined ? findHost() : undefined),
    propagates: propagation && surroundings.OTEL_PROPAGATORS?.trim() !== 'none',
    loaded: new Map(),
    grants: new Map(),
    driving: new Map(),
    beginChild: (parent, call) => beginChild(parts, parent, call),
    takeUp: (run, given, how) => takeUp(parts, run, given, how),
    ...defined({ standIn, embedder }),
  };
  return parts;
}

interface Store {
  readonly journal: Journal;
  /** The folder for listings of MCP servers; absent: listings are not kept. */
  readonly listings?: string;
  readonly storeFiles: readonly string[];
}

function storeOf({ journal, store, durability = 'strict', access = 'write' }: EngineOptions, folder: string): Store {
  if (journal !== undefined && store === undefined) return { journal, storeFiles: [] };
  const file = store ?? join(folder, '.reconverge', 'runs.db');
  return {
    journal: journal ?? openSqliteJournal(file, { durability, access }),
    listings: listingsBeside(file),
    storeFiles: ownFilesOf(file),
  };
}

async function embedderFor(
  profile: EmbeddingsProfile,
  given: Embedder | undefined,
  guard: Boundary,
): Promise<Embedder> {
  if (given !== undefined) return given;
  const { openaiEmbedder } = await import('../llm/openai-embedder.ts');
  return openaiEmbedder('embeddings', profile, guard);
}

async function tokenCounter(given: CountTokens | undefined): Promise<CountTokens> {
  if (given !== undefined) return boundedCount(given);
  return (await installedTokenizer()) ?? estimateTokens;
}
