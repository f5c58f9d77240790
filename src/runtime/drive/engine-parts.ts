// The parts that all runs of one engine share.
import { dirname, resolve } from 'node:path';
import { copied } from '../../base/copied.ts';
import type { Issue } from '../../base/issue.ts';
import { good, type Result } from '../../base/result.ts';
import type { Capability } from '../../capabilities/capability.ts';
import type { McpServers } from '../../capabilities/mcp/servers.ts';
import type { Registry } from '../../capabilities/registry.ts';
import type { CountTokens } from '../../context/tokens.ts';
import type { Recorded } from '../../engine/record/event.schema.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import type { RunState } from '../../engine/state/state.ts';
import type { Embedder } from '../../llm/embedder.ts';
import type { Model } from '../../llm/model.ts';
import type { EmbeddingsProfile } from '../../model/profile.ts';
import type { Journal } from '../../store/journal.ts';
import type { Template } from '../../template/template.ts';
import type { DriveOptions, Listener, RunHandle } from '../api/engine.ts';
import type { EngineOptions } from '../api/engine-options.ts';
import type { StateReader } from '../journal/state-reader.ts';
import { registryFor } from '../load/load-file.ts';
import { checkModelModules } from '../load/model-modules.ts';
import { unreachableModels, unreachableModelsLeft } from '../load/unreachable-models.ts';
import type { OnLogs } from '../logs/run-log.ts';
import type { Learning } from '../perform/learning.ts';
import type { ModelClients } from '../perform/model-clients.ts';
import { type Boundary, boundary, type Surroundings } from '../ports/boundary.ts';
import type { Clock } from '../ports/clock.ts';
import { guardedView } from '../ports/guarded-view.ts';
import type { OnDelta } from '../ports/live-answer.ts';
import type { Tape } from '../ports/tape.ts';
import type { ChildCall } from '../ports/work.ts';
import type { Host } from '../trace/host.ts';

export interface EngineParts extends Pick<EngineOptions, 'standIn' | 'embedder'> {
  /** Relative paths start here. */
  readonly folder: string;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly surroundings: Surroundings;
  /** One boundary for all runs, because sessions with servers outlive runs: no run may see a secret of another run. */
  readonly boundary: Boundary;
  readonly servers: McpServers;
  readonly learning: Learning;
  /** The capabilities of the engine, for all templates. */
  readonly capabilities: readonly Capability[];
  readonly models: Readonly<Record<string, Model>>;
  /** The files of the store, which no run may touch. */
  readonly storeFiles: readonly string[];
  /** Begins a set of model clients for one run. */
  readonly modelClients: ModelClients;
  readonly embedderFor: (profile: EmbeddingsProfile) => Promise<Embedder>;
  readonly tokenCounter: () => Promise<CountTokens>;
  /** Runs are checked against their invariants. */
  readonly isParanoid: boolean;
  /** Listeners and readers get views that throw when they are written to, and copies of events. */
  readonly isGuarded: boolean;
  readonly onLog: EngineOptions['onLog'];
  /** The OpenTelemetry providers of the program, if it has registered any and this engine uses them. */
  readonly findHost: () => Promise<Host | undefined>;
  /** Requests to other services carry the trace context. */
  readonly propagates: boolean;
  /** Templates that this engine has loaded. */
  readonly loaded: Map<Template, TemplateInUse>;
  /** The capabilities of a run besides those of the engine, by run. */
  readonly grants: Map<string, readonly Capability[]>;
  /** The runs that this engine drives now. */
  readonly driving: Map<string, DrivenRun>;
  /** Begins the child run of a step. */
  readonly beginChild: (parent: ParentRun, call: ChildCall) => Promise<Result<RunHandle>>;
  /** Takes up a run that nobody drives. */
  readonly takeUp: (run: string, options: DriveOptions, how: HowToTakeUp) => Promise<Result<RunHandle<never>>>;
}

interface DrivenRun {
  readonly handle: RunHandle;
  /** The state that its driver folds. */
  readonly state: RunState;
}

interface TemplateInUse {
  readonly registry: Registry;
  /** The capabilities that the template was loaded with. */
  readonly granted: readonly Capability[];
}

export interface ParentRun {
  readonly state: RunState;
  readonly tape: Tape;
  readonly onDelta: OnDelta | undefined;
  readonly onLogs: OnLogs | undefined;
  readonly onChildEvents: Listener | undefined;
}

export interface HowToTakeUp {
  /** The run is taken up only to be cancelled: it needs none of its capabilities and models. */
  readonly isEnding?: boolean;
  /** The run is resumed as soon as it is attached. */
  readonly isResumed?: boolean;
  /** Called once the lease is held and the run can go on. */
  readonly onTaken?: () => void;
  /** The parent run's tape, for a child run. */
  readonly tape?: Tape;
  /** A reader that has already read the run, to check an order. */
  readonly states?: StateReader;
}

/** The view of a run for listeners and readers. The program's own command line may read the state itself, which is faster. */
export function viewOf({ isGuarded }: Pick<EngineParts, 'isGuarded'>, state: RunState): RunView {
  return isGuarded ? guardedView(state) : state;
}

/** Events for listeners: a copy, unless nobody else can be harmed. */
export function eventsFor(
  { isGuarded }: Pick<EngineParts, 'isGuarded'>,
  events: readonly Recorded[],
): readonly Recorded[] {
  return isGuarded ? events.map(copied) : events;
}

/** A tape or a stand-in answers in the place of models. */
export function isAnswered({ standIn }: EngineParts, { player }: Tape): boolean {
  return player !== undefined || standIn !== undefined;
}

/** The registry that a template was loaded with, or a new one for a template that this engine has not loaded. */
export async function registryOf(
  { loaded, capabilities, servers }: EngineParts,
  template: Template,
  base: string,
  granted: readonly Capability[] = [],
): Promise<Result<Registry>> {
  const known = loaded.get(template)?.registry;
  return known === undefined ? registryFor(template, base, [...capabilities, ...granted], servers.pinned) : good(known);
}

/** The models that a run of this template would ask and that cannot be reached. */
export function modelsOutOfReach(parts: EngineParts, template: Template, tape: Tape): readonly Issue[] {
  return isAnswered(parts, tape) ? [] : unreachableModels(template, boundary(parts.surroundings), answerersOf(parts));
}

/** The models that the steps of a run which have not ended would ask and that cannot be reached. */
export async function modelsStillOutOfReach(
  parts: EngineParts,
  state: RunState,
  tape: Tape,
): Promise<readonly Issue[]> {
  if (isAnswered(parts, tape)) return [];
  const { template, folder } = state;
  const beside = dirname(resolve(folder, template.file));
  return [
    ...unreachableModelsLeft(state, boundary(parts.surroundings), answerersOf(parts)),
    ...(await checkModelModules(template.models, beside, Object.keys(parts.models))),
  ];
}

function answerersOf({ models, embedder }: EngineParts): Parameters<typeof unreachableModels>[2] {
  return { models, embedder };
}
