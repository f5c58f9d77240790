// Turns one step as written into the declaration that the engine runs; the same for templates and fragments.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { defined, type JsonObject, ownProperty } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import type { Duration } from '../../base/quantity.ts';
import type { Declaration } from '../../contract/declaration.ts';
import { type KeyValues, readKeys } from '../keys/key.ts';
import { contract } from '../keys/kinds.ts';
import { planningKeys } from '../keys/planning.ts';
import { mapAt } from '../keys/readers.ts';
import { commonKeys, decisionKeys, type Recovery } from '../keys/step.ts';
import { retryKeys } from '../keys/step-parts.ts';
import { agentForCall, isModelCall, schemaOfCall } from '../model-call.ts';
import { readReferences, refersToData } from '../references.ts';
import { carryReferences, referencesOf } from '../step-references.ts';
import type { FanOutSpec, RetryPolicy, StepSpec, StepType } from '../step-spec.ts';
import { foldStep } from './aliases.ts';
import { withPolicy } from './bind.ts';
import { fanOutOf, itemIssues } from './fan-out.ts';
import { readApproval, readGate } from './gate.ts';

export interface ResolveOptions {
  /** The template's planners by name; none for fragments. */
  readonly planners?: JsonObject;
  /** The default width of fan-outs; absent for fragments, where the width is required. */
  readonly maxWidth?: number;
  /** The granted capabilities; child templates declare the duration of a run. */
  readonly declarations?: Readonly<Record<string, Declaration>>;
  /** The default and the most time of one attempt, for steps that a planner has planned; nested planning is exempt. */
  readonly stepTimeout?: Duration;
}

export interface ResolvedStep {
  /** Absent when the step has no name. */
  readonly step?: StepSpec;
  /** Paths from the document's root, in the keys' own names. */
  readonly issues: readonly Issue[];
}

const TIMEOUT: Duration = 30_000;
const TIMEOUT_OF_MODELS: Duration = 300_000;

/**
 * Resolves a step of a shaped document: replaces aliases, reads quantities and contracts, fills in defaults, compiles
 * Lisp. `bindSteps` then adds what depends on other steps.
 */
export function resolveStep(written: JsonObject, at: readonly PathPart[], around: ResolveOptions = {}): ResolvedStep {
  const issues: Issue[] = [];
  const step = readStep(foldStep(written), around, issues);
  if (step === undefined) return { issues: [] };
  issues.push(...referencesOf(step).issues);
  return { step, issues: below(at, issues) };
}

function readStep(written: JsonObject, around: ResolveOptions, issues: Issue[]): StepSpec | undefined {
  const raw = withPlanner(written, around.planners ?? {}, issues);
  const read = readKeys(commonKeys, raw, issues);
  const { name, type, handler, convergence, approval, onFailure: _, maxRetries: __, ...kept } = read;
  if (name === undefined) return undefined;
  const { capability } = handler ?? {};
  issues.push(...misplacedReferences(raw, handler?.initialization));
  const settings = { ...handler?.initialization, ...mapAt(raw, 'input') };
  return {
    ...kept,
    ...handler,
    ...readRecovery(raw, read, type, issues),
    name,
    type,
    implied: [],
    timeout: timeoutOf(kept.timeout, type, around) ?? usualTimeout(raw, capability, around),
    ...defined({
      agent: kept.agent ?? agentForCall(capability, settings),
      output: kept.output ?? outputOfCall(capability, settings, issues),
      decision: type === 'decision' ? readKeys(decisionKeys, raw) : undefined,
      planning: type === 'planning' ? readKeys(planningKeys, raw) : undefined,
      fanOut: type === 'fan_out' ? readFanOut(raw, name, around, issues) : undefined,
      gate: type === 'human_review' ? readGate(raw, issues) : undefined,
      approval: readApproval(approval, name, capability, issues),
      approved: approval === 'never' ? (true as const) : undefined,
      convergence: convergence && withPolicy(convergence, type),
    }),
  };
}

/** Reads the item step like any other step; without an own name it has the name of the fan-out. */
function readFanOut(
  raw: JsonObject,
  name: string,
  { maxWidth, declarations = {}, stepTimeout }: ResolveOptions,
  issues: Issue[],
): FanOutSpec | undefined {
  const written = mapAt(raw, 'do');
  if (written === undefined) return undefined;
  const inside: Issue[] = [];
  const item = readStep({ name, ...foldStep(written) }, { declarations, ...defined({ stepTimeout }) }, inside);
  issues.push(...below(['do'], inside));
  if (item === undefined) return undefined;
  issues.push(...below(['do'], itemIssues(item)));
  return fanOutOf(raw, withinFanOut(item, raw), maxWidth);
}

/** Limits the effects of the item step to those of its fan-out. */
function withinFanOut(item: StepSpec, raw: JsonObject): StepSpec {
  const only = commonKeys.effects.read(raw.effects, []);
  if (only === undefined) return item;
  return carryReferences(item, { ...item, effects: item.effects?.filter((effect) => only.includes(effect)) ?? only });
}

/** Reads the contract of a model call's answer, which is a part of its input. */
function outputOfCall(capability: string | undefined, settings: JsonObject, issues: Issue[]): JsonObject | undefined {
  const schema = schemaOfCall(capability, settings);
  if (schema === undefined) return undefined;
  const found: Issue[] = [];
  const output = contract('').read(schema, found);
  issues.push(...below(['input', 'schema'], found));
  return output;
}

function timeoutOf(
  written: Duration | undefined,
  type: StepType,
  { stepTimeout }: ResolveOptions,
): Duration | undefined {
  if (stepTimeout === undefined || type === 'planning') return written;
  return Math.min(written ?? stepTimeout, stepTimeout);
}

/** The default timeout; a child run has the time of its own budget. */
function usualTimeout(
  raw: JsonObject,
  capability: string | undefined,
  { declarations = {} }: ResolveOptions,
): Duration {
  const called = Object.hasOwn(declarations, capability ?? '') ? declarations[capability ?? ''] : undefined;
  if (called?.runs !== undefined) return called.cost.ms ?? TIMEOUT;
  return asksModel(raw) || isModelCall(capability) ? TIMEOUT_OF_MODELS : TIMEOUT;
}

/** Steps that ask models have a longer timeout: a model is slow, and one attempt may ask it several times. */
function asksModel(raw: JsonObject): boolean {
  const planner = mapAt(raw, 'planner');
  const plans = planner?.kind === 'llm' || planner?.kind === 'hybrid' || planner?.model !== undefined;
  return raw.agent !== undefined || raw.judge !== undefined || plans;
}

function below(at: readonly PathPart[], issues: readonly Issue[]): readonly Issue[] {
  return issues.map((each) => ({ ...each, path: [...at, ...each.path] }));
}

/** Reports references in the description of an agent's step and in `initialization`, which are both plain values. */
function misplacedReferences({ agent, description }: JsonObject, initialization: JsonObject | undefined): Issue[] {
  const found: Issue[] = [];
  if (agent !== undefined && typeof description === 'string' && refersToData(description)) {
    const hint = 'put the reference under "input", and describe it in words';
    const message = 'the description of a step with an agent is plain text and cannot have references';
    found.push(issue('REFERENCE_NOT_ALLOWED', message, { path: ['description'], hint }));
  }
  const { references, issues: malformed } = readReferences(initialization ?? null);
  for (const at of [...references.map((each) => each.at), ...malformed.map((each) => each.path)]) {
    const path = ['handler', 'initialization', ...at];
    const hint = 'put it under "input"';
    found.push(issue('REFERENCE_NOT_ALLOWED', '"initialization" is fixed and cannot have references', { path, hint }));
  }
  return found;
}

function withPlanner(raw: JsonObject, planners: JsonObject, issues: Issue[]): JsonObject {
  const { planner: name } = raw;
  if (typeof name !== 'string') return raw;
  const { planner: _, ...others } = raw;
  const meant = ownProperty(planners, name);
  if (meant !== undefined) return { ...others, planner: meant };
  const names = Object.keys(planners);
  const known =
    names.length === 0 ? 'declare it under planners:, or write { kind: … }' : `planners are ${names.join(', ')}`;
  const hint = didYouMean(name, names) ?? known;
  issues.push(issue('PLANNER_UNKNOWN', `no planner is named "${name}"`, { path: ['planner'], hint }));
  return others;
}

const ATTEMPTS_WHEN_ASKED = 3;

type RecoveryKeys = Pick<StepSpec, 'onFailure' | 'onVerificationFailure' | 'retry'>;

/** Reads the recovery of a step: `retry` and `max_retries` imply `on_failure: retry`, except for planning steps, which have `max_attempts`. */
function readRecovery(
  raw: JsonObject,
  read: KeyValues<typeof commonKeys>,
  type: StepType,
  issues: Issue[],
): RecoveryKeys {
  const { onVerificationFailure } = read;
  const key = ['retry', 'max_retries'].find((each) => Object.hasOwn(raw, each));
  const implied = key !== undefined && type !== 'planning' ? 'retry' : 'stop';
  const onFailure = read.onFailure ?? implied;
  const retry = policyOf(read, key !== undefined || onFailure === 'retry' || onVerificationFailure === 'retry');
  if (key !== undefined && type !== 'planning' && retry.maxAttempts > 1) {
    issues.push(...contradiction(key, onFailure, onVerificationFailure));
  }
  return { onFailure, onVerificationFailure, retry };
}

/** Reports retries of a step that never retries. A replan retries first, and a failed verification may retry too. */
function contradiction(key: string, onFailure: Recovery, onVerificationFailure: Recovery): readonly Issue[] {
  const ends = onFailure === 'stop' || onFailure === 'skip';
  const verifies = onVerificationFailure === 'retry' || onVerificationFailure === 'replan';
  if (!ends || verifies) return [];
  const message = `"on_failure: ${onFailure}" contradicts "${key}": the step would never be retried`;
  const hint = `remove "${key}", or write "on_failure: retry"${onFailure === 'skip' ? ' with "critical: false"' : ''}`;
  return [issue('RETRY_CONTRADICTED', message, { path: ['on_failure'], hint })];
}

function policyOf({ retry, maxRetries }: KeyValues<typeof commonKeys>, isRetried: boolean): RetryPolicy {
  const { maxAttempts, maxRetries: own, ...delays } = retry ?? readKeys(retryKeys, {});
  const retries = own ?? maxRetries;
  const usual = isRetried ? ATTEMPTS_WHEN_ASKED : 1;
  return { maxAttempts: maxAttempts ?? (retries === undefined ? usual : retries + 1), ...delays };
}
