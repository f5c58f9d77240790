// Reads the fragment in a planner's reply, in any spelling that planners use.
import { type Digest, digestOf } from '../base/digest.ts';
import { hasErrors, type Issue, issue } from '../base/issue.ts';
import { defined, isJsonObject, type Json, type JsonObject, ownProperty } from '../base/json.ts';
import type { Duration } from '../base/quantity.ts';
import { bad, good, type Result } from '../base/result.ts';
import type { Declaration } from '../contract/declaration.ts';
import { readIntents } from '../goals/intent.ts';
import { type AgentSpec, agents as agentsKey } from '../template/keys/agent.ts';
import { readKeys } from '../template/keys/key.ts';
import { readNeeds } from '../template/keys/needs.ts';
import { withoutRepeated } from '../template/repeated-issues.ts';
import { foldStep } from '../template/resolve/aliases.ts';
import { bindSteps } from '../template/resolve/bind.ts';
import { type ResolveOptions, resolveStep } from '../template/resolve/step.ts';
import { checkShape } from '../template/shape.ts';
import { carryReferences } from '../template/step-references.ts';
import type { StepSpec } from '../template/step-spec.ts';
import type { Fragment, PlannerReply, UnreadFragment } from './fragment.ts';
import { looksIn } from './look.ts';
import { questionIn } from './question.ts';
import { readAgents } from './read/agents.ts';
import { withArguments } from './read/arguments.ts';
import { findPlan, inPython, type Plan, stepsOf } from './read/find-plan.ts';
import { flattenPhases } from './read/flatten-phases.ts';
import { stepsByName } from './read/foreign-references.ts';
import { agentsWithKnownNames, knownNames, withKnownNames } from './read/known-names.ts';
import { isDeeperThan } from './read/nesting-depth.ts';
import { oneAfterAnother } from './read/one-after-another.ts';
import { readOwnCapabilities } from './read/own-capabilities.ts';
import type { WrittenStep } from './read/phase.ts';
import { type NormalizedPlan, readableRest } from './read/readable-rest.ts';
import { issueInReply, placedInText, type ReplyPaths } from './read/reply-paths.ts';
import { notesOnPython, type PlannerText, type ReplyJson, readPlannerText } from './read/reply-text.ts';
import { readStep } from './read/step-keys.ts';
import { namesOf } from './read/step-names.ts';
import { withReferences, writtenName } from './read/step-references.ts';
import { nestedTarget, wiringOf } from './wiring.ts';

const MAX_NESTING = 100;

/**
 * Accepts the spellings that planners use, with a note for each; an unreadable part is an issue and never a guess. The
 * review judges everything that needs a frame. Issue paths point into the reply. Never throws. `declarations` holds the
 * known capabilities, and `stepTimeout` the limit for attempts of planned steps.
 */
export function readFragment(
  reply: Json,
  declarations: Readonly<Record<string, Declaration>> = {},
  stepTimeout?: Duration,
): Result<PlannerReply, UnreadFragment> {
  const around = { declarations, ...defined({ stepTimeout }) };
  const text = typeof reply === 'string' ? readPlannerText(reply) : json(reply);
  if (text === undefined) return unreadable('the reply is text without a JSON value in it');
  if (text.kind === 'python') return fragmentOf(inPython(text.python.plan), notesOnPython(text.python), around);
  return readJsonReply(text.json, around);
}

function json(value: Json): PlannerText {
  return { kind: 'json', json: { value, notes: [] }, fits: true };
}

type ReadingAround = Required<Pick<ResolveOptions, 'declarations'>> & Pick<ResolveOptions, 'stepTimeout'>;

function readJsonReply(text: ReplyJson, around: ReadingAround): Result<PlannerReply, UnreadFragment> {
  if (isDeeperThan(text.value, MAX_NESTING)) return unreadable(`the reply nests deeper than ${MAX_NESTING} levels`);
  if (looksIn(text.value) !== undefined) return unreadable('the reply asks to see more and brings no plan');
  const plan = onlyNeeds(text.value) ?? findPlan(text.value);
  const isEmpty = 'code' in plan || stepsOf(plan).length === 0;
  const beside = 'code' in plan ? text.value : plan.rest;
  const impossible = ownProperty(beside, 'impossible');
  if (typeof impossible === 'string' && impossible !== '') {
    if (isEmpty) return good({ impossible });
    return unreadable('the reply says that the goal is impossible, and brings steps for it');
  }
  const asks = questionIn(beside);
  if (asks !== undefined) {
    if (isEmpty) return good({ asks });
    return unreadable('the reply asks a question, and brings steps all the same');
  }
  if ('code' in plan) return bad({ issues: [plan] });
  return fragmentOf(plan, text.notes, around);
}

function fragmentOf(
  plan: Plan,
  before: readonly string[],
  around: ReadingAround,
): Result<PlannerReply, UnreadFragment> {
  const notes = new Set([...before, ...plan.notes]);
  const { document, places, issues } = documentOf(plan, notes, around.declarations);
  const shaped = checkShape(document, 'fragment');
  const standing = readableRest(document, shaped.value, places.steps);
  const { fragment, issues: later } = resolve(standing, {
    ...{ raw: document, places, phased: isPhased(plan), understood: [...notes], around },
  });
  const placed = (found: readonly Issue[]) => found.map((each) => issueInReply(each, document, places));
  const early = [...issues, ...placed(shaped.issues)];
  const found = [...early, ...withoutRepeated(early, placed(later))];
  return hasErrors(found) ? bad({ issues: found, rest: fragment }) : good(fragment, found);
}

/** A reply with needs and without steps. */
function onlyNeeds(reply: Json): Plan | undefined {
  if (!isJsonObject(reply) || readNeeds(reply.needs).length === 0) return undefined;
  return Object.keys(reply).every((key) => key === 'needs' || key === 'rationale')
    ? { phases: [], rest: reply, notes: [] }
    : undefined;
}

/** The plan in normalized form: one list of steps and one map of agents. */
function documentOf(
  plan: Plan,
  notes: Set<string>,
  declarations: Readonly<Record<string, Declaration>>,
): { document: NormalizedPlan; places: ReplyPaths; issues: readonly Issue[] } {
  const { agents: written, ...rest } = plan.rest;
  const { agents: named, names, places: ofAgents, issues } = readAgents(written, notes);
  const known = knownNames(declarations);
  const agents = named === undefined ? undefined : agentsWithKnownNames(named, known);
  const taken = new Set(stepsOf(plan).flatMap(({ value }) => namesOf(value)));
  const found: Issue[] = [];
  const stepNames = stepsOf(plan).flatMap(({ value }) => writtenName(value) ?? []);
  const reading = { steps: stepsByName(stepNames), declarations, known, notes };
  const inTurn = (steps: readonly WrittenStep[]) =>
    plan.inOrder === true ? oneAfterAnother(steps, (tool) => ownDeclaration(declarations, known(tool)), notes) : steps;
  const read = (step: WrittenStep): Json => {
    const { value, at } = step;
    const issues: Issue[] = [];
    const given = withArguments(withReferences(value, at, { ...reading, issues }), at, { ...reading, issues });
    found.push(...issues.map((each) => placedInText(each, step)));
    return withKnownNames(withAgent(readStep(given, taken, notes), names), known, notes);
  };
  const phases = plan.phases.map((phase) => ({ ...phase, steps: inTurn(phase.steps).map(read) }));
  const ordered = flattenPhases(phases, notes);
  const early = plan.phases.flatMap((phase) => phase.issues);
  const acting = new Set(ordered.steps.flatMap(agentsOf));
  for (const name of Object.keys(agents ?? {}))
    if (!acting.has(name)) notes.add(`agent "${name}" as one that no step names`);
  return {
    document: { ...withoutNull(rest), ...defined({ agents }), steps: ordered.steps },
    places: { steps: stepsOf(plan), agents: ofAgents },
    issues: [...early, ...issues, ...ordered.issues, ...withoutRepeated(early, found)],
  };
}

function ownDeclaration(declarations: Readonly<Record<string, Declaration>>, name: string): Declaration | undefined {
  return Object.hasOwn(declarations, name) ? declarations[name] : undefined;
}

function withAgent(step: Json, names: ReadonlyMap<string, string>): Json {
  if (!isJsonObject(step)) return step;
  const name = typeof step.agent === 'string' ? names.get(step.agent) : undefined;
  const inside = isJsonObject(step.do) ? { do: withAgent(step.do, names) } : {};
  return { ...step, ...defined({ agent: name }), ...inside };
}

function agentsOf(step: Json): readonly Json[] {
  if (!isJsonObject(step)) return [];
  return [...(step.agent === undefined ? [] : [step.agent]), ...agentsOf(step.do ?? null)];
}

function isPhased({ phases }: Plan): true | undefined {
  return phases.some(({ name }) => name !== undefined) || undefined;
}

interface FragmentSource {
  /** The whole document, wrong parts included. */
  readonly raw: JsonObject;
  readonly places: ReplyPaths;
  readonly phased: true | undefined;
  readonly understood: readonly string[];
  readonly around: ReadingAround;
}

/** Issue paths point into the document. */
function resolve(
  document: NormalizedPlan,
  { raw, places, phased, understood, around }: FragmentSource,
): { readonly fragment: Fragment; readonly issues: readonly Issue[] } {
  const folded = document.steps.map((step) => (isJsonObject(step) ? foldStep(step) : step));
  const issues: Issue[] = [];
  const { agents = {} } = readKeys({ agents: agentsKey }, { agents: document.agents ?? {} }, issues);
  const steps = folded.flatMap((written, index) => {
    if (!isJsonObject(written)) return [];
    const { step, issues: found } = resolveStep(written, ['steps', index], around);
    issues.push(...found);
    return step === undefined ? [] : [broughtAlong(step, agents)];
  });
  const capabilities = readOwnCapabilities(document.capabilities, issues);
  const bound = bind(steps);
  const rationale = typeof document.rationale === 'string' ? document.rationale : '';
  const needs = readNeeds(document.needs);
  const { convergence_target: target } = document;
  const brought = capabilities.length === 0 ? {} : { capabilities };
  const intents = readIntents(document.intents);
  const fragment: Fragment = {
    ...{ rationale, steps: bound, needs, digest: digestOfSteps(bound), understood, raw, places },
    ...(typeof target === 'string' ? { target } : {}),
    ...brought,
    ...defined({ intents, phased }),
  };
  return { fragment, issues };
}

/** Copies the plan's own agents into the steps that name them. */
function broughtAlong(step: StepSpec, agents: Readonly<Record<string, AgentSpec>>): StepSpec {
  const { agent, fanOut } = step;
  const own = agent !== undefined && Object.hasOwn(agents, agent.name) ? agents[agent.name] : undefined;
  const item = fanOut === undefined ? undefined : broughtAlong(fanOut.do, agents);
  const isChanged = own !== undefined || item !== fanOut?.do;
  return isChanged
    ? carryReferences(step, {
        ...step,
        ...defined({
          agent: agent === undefined || own === undefined ? undefined : { ...agent, own },
          fanOut: fanOut === undefined || item === undefined ? undefined : { ...fanOut, do: item },
        }),
      })
    : step;
}

/** Binds steps; the only dependent of a nested planning step becomes its target. */
function bind(steps: readonly StepSpec[]): readonly StepSpec[] {
  const bound = bindSteps(steps);
  if (!steps.some(({ type }) => type === 'planning')) return bound;
  const wiring = wiringOf(bound);
  return bindSteps(
    steps.map((step) => {
      const target = nestedTarget(step, wiring);
      if (step.planning === undefined || step.planning.target !== undefined || target === undefined) return step;
      return { ...step, planning: { ...step.planning, target } };
    }),
  );
}

function digestOfSteps(steps: readonly StepSpec[]): Digest {
  // Specs are plain JSON, although their type does not say so.
  return digestOf(steps.flatMap((step) => (isJsonObject(step) ? [step] : [])));
}

function withoutNull(rest: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
}

function unreadable(message: string): Result<never, UnreadFragment> {
  const hint = 'answer with JSON: {"rationale": "…", "steps": […]}';
  return bad({ issues: [issue('FRAGMENT_UNREADABLE', message, { hint })] });
}
