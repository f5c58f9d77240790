// One step as written, to the declaration that the engine runs; the same for templates and fragments.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { type Duration, readSize } from '../../base/quantity.ts';
import type { Declaration } from '../../contract/declaration.ts';
import { readBudget } from '../keys/budget.ts';
import { effectsAt } from '../keys/effects.ts';
import {
  choiceAt,
  defined,
  durationAt,
  flagAt,
  lispAt,
  mapAt,
  numberAt,
  quantityAt,
  textAt,
  wordsAt,
} from '../keys/readers.ts';
import { agentForCall, isModelCall, schemaOfCall } from '../model-call.ts';
import { readReferences, refersToData } from '../references.ts';
import { typeAliases } from '../schema/step.ts';
import {
  type ContextSettings,
  type DecisionSpec,
  type FanOutSpec,
  type StepSpec,
  type StepType,
  stepTypes,
} from '../step-spec.ts';
import { carryUses, usesOf } from '../uses.ts';
import { readAgentUse, readJudge } from './agent.ts';
import { foldStep } from './aliases.ts';
import { attachmentsAt } from './attachments.ts';
import { contractAt } from './contract.ts';
import { readConvergence } from './convergence.ts';
import { fanOutOf, itemIssues } from './fan-out.ts';
import { readApproval, readGate } from './gate.ts';
import { withPlanner } from './planner-named.ts';
import { readPlanning } from './planning.ts';
import { readRecovery } from './retry.ts';

export interface Surroundings {
  /** Planners by name; none in fragments. */
  readonly planners?: JsonObject;
  /** How wide a fan-out may become that does not say; absent in fragments, where each says it. */
  readonly maxWidth?: number;
  /** What may be called: how long a run of a template takes is said there. */
  readonly declarations?: Readonly<Record<string, Declaration>>;
}

export interface ResolvedStep {
  /** Absent when the step has no name to stand for it. */
  readonly step?: StepSpec;
  /** Paths from the document's root, in the keys' own names. */
  readonly issues: readonly Issue[];
}

const TIMEOUT = 30_000;
const TIMEOUT_OF_MODELS = 300_000;
const DELIVERIES = 3;

/**
 * Takes a step that shape has let through. Folds other names of keys, reads quantities, fills defaults, reads the
 * contract, compiles the Lisp. What other steps have to do with it (implied dependencies, convergence targets) is
 * `bindSteps`'s affair.
 */
export function resolveStep(written: JsonObject, at: readonly PathPart[], around: Surroundings = {}): ResolvedStep {
  const issues: Issue[] = [];
  const step = readStep(foldStep(written), around, issues);
  if (step === undefined) return { issues: [] };
  issues.push(...usesOf(step).issues);
  return { step, issues: below(at, issues) };
}

function readStep(written: JsonObject, around: Surroundings, issues: Issue[]): StepSpec | undefined {
  const raw = withPlanner(written, around.planners ?? {}, issues);
  const name = textAt(raw, 'name');
  if (name === undefined) return undefined;
  const type = typeOf(textAt(raw, 'type'));
  const convergence = mapAt(raw, 'convergence');
  const budget = mapAt(raw, 'budget');
  const context = mapAt(raw, 'context');
  const call = readCall(raw, issues);
  const settings = { ...call.initialization, ...mapAt(raw, 'input') };
  return defined<StepSpec>({
    name,
    type,
    description: readDescription(raw, issues),
    dependencies: [...new Set(wordsAt(raw, 'dependencies'))],
    implied: [],
    when: lispAt(raw, 'when'),
    ...call,
    agent: readAgentUse(raw) ?? agentForCall(call.capability, settings),
    judge: readJudge(raw),
    input: raw.input,
    expr: lispAt(raw, 'expr'),
    output: contractAt(raw, 'output', issues) ?? outputOfCall(call.capability, settings, issues),
    verification: lispAt(raw, 'verification'),
    ...readRecovery(raw, type, issues),
    critical: flagAt(raw, 'critical') ?? true,
    timeout: durationAt(raw, 'timeout') ?? usualTimeout(raw, call.capability, around),
    maxDeliveries: numberAt(raw, 'max_deliveries') ?? DELIVERIES,
    fresh: flagAt(raw, 'fresh'),
    attachments: raw.attachments === undefined ? undefined : attachmentsAt(raw),
    concurrencyKey: textAt(raw, 'concurrency_key'),
    budget: budget === undefined ? undefined : readBudget(budget),
    context: context === undefined ? undefined : readContext(context),
    decision: type === 'decision' ? readDecision(raw) : undefined,
    planning: type === 'planning' ? readPlanning(raw) : undefined,
    fanOut: type === 'fan_out' ? readFanOut(raw, name, around, issues) : undefined,
    gate: type === 'human_review' ? readGate(raw, issues) : undefined,
    effects: raw.effects === undefined ? undefined : effectsAt(raw, 'effects'),
    approval: readApproval(raw, name, call.capability, issues),
    approved: raw.approval === 'never' || raw.approval === false ? true : undefined,
    maxClarifications: numberAt(raw, 'max_clarifications'),
    convergence: convergence === undefined ? undefined : readConvergence(convergence, type === 'planning'),
    place: undefined,
  });
}

/** The step that it runs is read like any other, under the fan-out's name unless it has its own. */
function readFanOut(
  raw: JsonObject,
  name: string,
  { maxWidth, declarations = {} }: Surroundings,
  issues: Issue[],
): FanOutSpec | undefined {
  const written = mapAt(raw, 'do');
  if (written === undefined) return undefined;
  const inside: Issue[] = [];
  const item = readStep({ name, ...foldStep(written) }, { declarations }, inside);
  issues.push(...below(['do'], inside));
  if (item === undefined) return undefined;
  issues.push(...below(['do'], itemIssues(item)));
  return fanOutOf(raw, withinFanOut(item, raw), maxWidth);
}

/** What a fan-out may not do its items may not either. */
function withinFanOut(item: StepSpec, raw: JsonObject): StepSpec {
  if (raw.effects === undefined) return item;
  const only = effectsAt(raw, 'effects');
  return carryUses(item, { ...item, effects: item.effects?.filter((effect) => only.includes(effect)) ?? only });
}

/** What is wrong with a contract that is part of an input. */
function outputOfCall(capability: string | undefined, settings: JsonObject, issues: Issue[]): JsonObject | undefined {
  const schema = schemaOfCall(capability, settings);
  if (schema === undefined) return undefined;
  const found: Issue[] = [];
  const output = contractAt({ schema }, 'schema', found);
  issues.push(...below(['input'], found));
  return output;
}

/** A run has the time that its own budget gives it. */
function usualTimeout(raw: JsonObject, capability: string | undefined, { declarations = {} }: Surroundings): Duration {
  const called = Object.hasOwn(declarations, capability ?? '') ? declarations[capability ?? ''] : undefined;
  if (called?.runs !== undefined) return called.cost.ms ?? TIMEOUT;
  return asksModel(raw) || isModelCall(capability) ? TIMEOUT_OF_MODELS : TIMEOUT;
}

/** A model takes its time, and an attempt may ask it more than once. */
function asksModel(raw: JsonObject): boolean {
  const planner = mapAt(raw, 'planner');
  const plans = planner?.kind === 'llm' || planner?.kind === 'hybrid' || planner?.model !== undefined;
  return raw.agent !== undefined || raw.judge !== undefined || plans;
}

function below(at: readonly PathPart[], issues: readonly Issue[]): readonly Issue[] {
  return issues.map((each) => ({ ...each, path: [...at, ...each.path] }));
}

function readDecision(raw: JsonObject): DecisionSpec {
  const branches = [...new Set(wordsAt(raw, 'branches'))];
  const choose = lispAt(raw, 'choose');
  return choose === undefined ? { branches } : { branches, choose };
}

function typeOf(written: string | undefined): StepType {
  const own = Object.entries(typeAliases).find(([alias]) => alias === written)?.[1];
  return own ?? stepTypes.find((each) => each === written) ?? 'task';
}

/** An agent is told it as it stands, and would be told of braces. */
function readDescription(raw: JsonObject, issues: Issue[]): string | undefined {
  const description = textAt(raw, 'description');
  if (raw.agent !== undefined && description !== undefined && refersToData(description)) {
    const hint = 'put the reference under "input", and speak of it in words';
    const message = 'an agent is told its description as it stands, and nothing is looked up in it';
    issues.push(issue('REFERENCE_NOT_ALLOWED', message, { path: ['description'], hint }));
  }
  return description;
}

function readCall(raw: JsonObject, issues: Issue[]): Pick<StepSpec, 'capability' | 'initialization'> {
  const { handler } = raw;
  const name = isJsonObject(handler) ? textAt(handler, 'callable') : textAt(raw, 'handler');
  const initialization = isJsonObject(handler) ? mapAt(handler, 'initialization') : undefined;
  const { references, issues: malformed } = readReferences(initialization ?? null);
  for (const { at } of [...references, ...malformed.map(({ path }) => ({ at: path }))]) {
    const path = ['handler', 'initialization', ...at];
    const hint = 'put it under "input"';
    issues.push(issue('REFERENCE_NOT_ALLOWED', 'initialization is fixed and takes no references', { path, hint }));
  }
  return defined<Pick<StepSpec, 'capability' | 'initialization'>>({ capability: name, initialization });
}

export function readContext(raw: JsonObject): ContextSettings {
  const keep = wordsAt(raw, 'keep');
  const elide = wordsAt(raw, 'elide');
  return defined<ContextSettings>({
    strategy: choiceAt(raw, 'strategy', ['full', 'contract', 'summary', 'selective', 'hierarchical']),
    model: textAt(raw, 'model'),
    maxTokens: quantityAt(raw, 'max_tokens', readSize),
    keep: keep.length === 0 ? undefined : keep,
    elide: elide.length === 0 ? undefined : elide,
    sample: numberAt(raw, 'sample'),
  });
}
