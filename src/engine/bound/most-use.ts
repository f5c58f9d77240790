// The most calls and cost of a step: all its attempts, questions, redeliveries and items.
import { isJsonArray } from '../../base/json.ts';
import {
  type Amount,
  type Limit,
  mostOf,
  nothing,
  plus,
  type Resource,
  resources,
  times,
} from '../../budget/amount.ts';
import { limitKeys } from '../../budget/limits.ts';
import type { Effect } from '../../contract/declaration.ts';
import { mostOfPlanned } from '../../planning/checks/size.ts';
import { priceOfCall } from '../../planning/estimate.ts';
import { type AgentSpec, agentIn, defaultAgent, parallelToolsOf } from '../../template/keys/agent.ts';
import { asksAboutMissing, MISSING_ASKS } from '../../template/keys/missing.ts';
import { matchesByWords, plannerModelOf, summaryFor } from '../../template/model-use.ts';
import type { FanOutSpec, PlannerSpec, StepSpec } from '../../template/step-spec.ts';
import type { Template } from '../../template/template.ts';
import { slicesOf } from '../record/fan-out-slices.ts';
import type { FailureAssumption } from './failure-assumption.ts';
import { knownPlan } from './known-plans.ts';
import {
  CHOICE_ASKS,
  mostApprovals,
  mostOfAgent,
  mostOfAnyModel,
  mostOfAsk,
  mostOfCritic,
  mostOfEmbeddings,
  mostOfJudge,
  mostOfSummary,
  mostPromptApprovals,
  mostRepeated,
  mostRepeatedInPlan,
  PLANNER_TURNS,
} from './most-model-use.ts';

export interface MostUse {
  /** Deliveries of all attempts. */
  readonly attempts: number;
  readonly bill: Amount;
}

const none: MostUse = { attempts: 0, bill: nothing };

export function mostOfStep(template: Template, step: StepSpec, assumption: FailureAssumption): MostUse {
  const { fanOut } = step;
  if (fanOut !== undefined) {
    const width = assumption.nothingFails ? (knownWidth(fanOut) ?? fanOut.maxWidth) : fanOut.maxWidth;
    return withinOwn(repeated(mostOfStep(template, fanOut.do, assumption), width), step);
  }
  // A child run continues after a crash and is not started again.
  const isRun = step.capability !== undefined && template.capabilities[step.capability]?.runs !== undefined;
  const delivered = repeated(
    mostDelivered(template, step, assumption),
    isRun && step.agent === undefined ? 1 : assumption.deliveries(step),
  );
  return withinOwn(delivered, step);
}

/** The length of a written list of a fan-out; undefined if only the run knows the list. */
export function knownWidth(fanOut: FanOutSpec): number | undefined {
  if (!isJsonArray(fanOut.forEach)) return undefined;
  const slices = slicesOf(fanOut.forEach, fanOut);
  return slices.ok ? slices.value.length : undefined;
}

/** Cuts the use of a step at its own budget. */
function withinOwn({ attempts, bill }: MostUse, { budget }: StepSpec): MostUse {
  if (budget === undefined) return { attempts, bill };
  const capped: Partial<Record<Resource, number>> = {};
  for (const of of resources) {
    const amount = bill[of];
    if (amount !== undefined) capped[of] = Math.min(amount, budget.limit[of] ?? Number.POSITIVE_INFINITY);
  }
  return { attempts, bill: capped };
}

function mostDelivered(template: Template, step: StepSpec, assumption: FailureAssumption): MostUse {
  const { planning, agent, capability, judge, gate } = step;
  const tries = assumption.attempts(step);
  if (planning !== undefined) return mostOfPlanner(template, step, assumption);
  const judged = judge === undefined ? nothing : mostOfJudge(template, judge, assumption);
  const approvals = judge === undefined ? 0 : assumption.promptApprovals(mostPromptApprovals(template));
  if (agent !== undefined) {
    const spec = agentIn(template.agents, agent);
    const waits =
      assumption.questions(step) + tries * (assumption.promptApprovals(mostApprovals(template, spec)) + approvals);
    const asked = times(plus(mostOfAgent(template, spec, assumption), judged), tries);
    return { attempts: tries + waits, bill: plus(asked, mostRepeated(template, step, assumption)) };
  }
  if (capability === undefined) return gate === undefined ? none : { attempts: tries, bill: nothing };
  const called = tries + (mayAsk(template, capability) ? assumption.questions(step) : 0);
  return {
    attempts: called + tries * approvals,
    bill: plus(
      times(priceOf(template, capability, assumption), called),
      plus(times(judged, tries), mostRepeated(template, step, assumption)),
    ),
  };
}

/** A planner may look up more once beside its proposals. */
const TO_SEE_MORE = 1;

function mostOfPlanner(template: Template, step: StepSpec, assumption: FailureAssumption): MostUse {
  const { planning } = step;
  const isKnown = assumption.nothingFails && knownPlan(template, step, assumption) !== undefined;
  const plans = assumption.plans(step);
  const proposals = isKnown ? plans : plans + TO_SEE_MORE;
  const questions = assumption.questions(step);
  const attempts = proposals + questions;
  const planner = planning?.planner;
  const writer = summaryFor(template, step);
  const summed = writer === undefined ? nothing : mostOfSummary(template, writer, attempts, assumption);
  const compared = times(mostOfEmbeddings(template), proposals * comparisonsOf(planner));
  const criticised = times(mostOfCritic(template, assumption), assumption.nothingFails ? plans : proposals);
  const beside = plus(plus(summed, compared), plus(criticised, mostRepeated(template, step, assumption)));
  const looks = isKnown ? 0 : proposals * asksOfMissing(template);
  if (planner?.kind === 'capability') {
    const looked = times(mostOfAsk(template, undefined, assumption), looks);
    return { attempts, bill: plus(times(priceOf(template, planner.name, assumption), attempts), plus(beside, looked)) };
  }
  // A known plan needs its model only for repairs.
  const asked = isKnown ? undefined : plannerModelOf(planner);
  const ask = mostOfAsk(template, asked?.model, assumption);
  const chosen = assumption.readings(CHOICE_ASKS) * readingsOf(planner);
  const taken = assumption.readings(ASKS_BEFORE) * strategiesBefore(planner);
  const before = taken + chosen + (template.pattern === 'auto' ? 1 : 0);
  const turns = asked === undefined ? 0 : turnsOf(proposals, questions) + proposals * before;
  return { attempts, bill: plus(times(ask, turns + looks), beside) };
}

/** Requests of each model that splits a goal: one, and one more to mend its answer. */
const ASKS_BEFORE = 2;

function strategiesBefore(planner: PlannerSpec | undefined): number {
  const strategies = planner?.kind === 'hybrid' ? (planner.strategies ?? []) : [];
  const strategy = planner?.kind === 'llm' ? planner.strategy : undefined;
  return [...strategies, strategy].filter((each) => each === 'intent_first' || each === 'grounded').length;
}

/** Readings of a goal for one proposal: by words, and by each model that splits it. */
function readingsOf(planner: PlannerSpec | undefined): number {
  return matchesByWords(planner) ? 1 + strategiesBefore(planner) : 0;
}

/** Comparisons by embeddings for one proposal: one for each reading, and one before each model that is shown tools. */
function comparisonsOf(planner: PlannerSpec | undefined): number {
  return readingsOf(planner) + strategiesBefore(planner);
}

/** Model calls about missing capabilities for one proposal. */
function asksOfMissing({ missing }: Template): number {
  return asksAboutMissing(missing) ? MISSING_ASKS : 0;
}

function turnsOf(proposals: number, questions: number): number {
  return proposals * (PLANNER_TURNS + questions);
}

/** The capabilities that plans of a template may call. */
export interface CallableCapabilities {
  /** Names of capabilities. */
  readonly callable: readonly string[];
  /** Plans may bring capabilities that the template does not have. */
  readonly findsMore: boolean;
}

/**
 * The most of a step in an unknown plan: as many attempts as the review allows, of the most expensive capability that
 * its plans can call.
 */
export function mostOfPlannedStep(
  template: Template,
  callables: CallableCapabilities,
  assumption: FailureAssumption,
): MostUse {
  const { attempts, deliveries, questions } = assumption.planned;
  const asks = callables.callable.some((name) => mayAsk(template, name));
  const most = attempts + (asks ? questions : 0);
  const review: MostUse = { attempts, bill: nothing };
  const calls = callsAnything(callables)
    ? [{ attempts: most, bill: times(dearestCall(template, callables, assumption), most) }]
    : [];
  return repeated(highestUse(review, ...calls, ...mostAsked(template, assumption)), deliveries);
}

/** The most of a nested planning step, with any planner that a plan may name. */
export function mostOfNestedPlanner(
  template: Template,
  callables: CallableCapabilities,
  assumption: FailureAssumption,
): MostUse {
  const { attempts, deliveries, questions } = assumption.planned;
  const proposals = attempts + TO_SEE_MORE;
  const compared = times(mostOfEmbeddings(template), proposals * (MOST_READINGS + MODEL_READINGS));
  const called = proposals + questions;
  const calls = callsAnything(callables) ? times(dearestCall(template, callables, assumption), called) : nothing;
  const repeats = mostRepeatedInPlan(template, assumption);
  const rule: MostUse = { attempts: called, bill: plus(plus(calls, compared), repeats) };
  if (Object.keys(template.models).length === 0) return repeated(rule, deliveries);
  const asked = mostOfAnyModel(template, (model) => mostOfAsk(template, model, assumption));
  // The plan chooses the size of the packet.
  const summed = mostOfAnyModel(template, (model) =>
    mostOfSummary(template, { model, maxTokens: Number.POSITIVE_INFINITY }, called, assumption),
  );
  const before = assumption.readings(ASKS_BEFORE) * MODEL_READINGS + assumption.readings(CHOICE_ASKS) * MOST_READINGS;
  const asks = turnsOf(proposals, questions) + proposals * (asksOfMissing(template) + before);
  const criticised = times(mostOfCritic(template, assumption), assumption.nothingFails ? attempts : proposals);
  const beside = plus(plus(summed, compared), plus(criticised, repeats));
  return repeated(highestUse(rule, { attempts: called, bill: plus(times(asked, asks), beside) }), deliveries);
}

function callsAnything({ callable, findsMore }: CallableCapabilities): boolean {
  return findsMore || callable.length > 0;
}

/** The strategies that split a goal before planning: `pattern`, `intent_first`, `grounded`. */
const MOST_READINGS = 3;
/** The strategies in which a model splits the goal. */
const MODEL_READINGS = 2;

/** The most of any agent or judge; nothing without models. */
function mostAsked(template: Template, assumption: FailureAssumption): readonly MostUse[] {
  if (Object.keys(template.models).length === 0) return [];
  const { attempts, questions } = assumption.planned;
  const agents = Object.values(template.agents);
  const agent: AgentSpec = {
    ...defaultAgent,
    tools: ['*'],
    effects: { allowed: [], denied: [], approval: askedAboutIn(template) },
    maxTurns: Math.max(mostOfPlanned.turns, ...agents.map(({ maxTurns }) => maxTurns)),
    maxParallelTools: Math.max(1, ...agents.map(parallelToolsOf)),
  };
  const bill = mostOfAnyModel(template, (model) =>
    plus(mostOfAgent(template, { ...agent, model }, assumption), mostOfJudge(template, { model }, assumption)),
  );
  return [
    {
      attempts:
        attempts +
        questions +
        attempts * assumption.promptApprovals(mostApprovals(template, agent) + mostPromptApprovals(template)),
      bill: plus(times(bill, attempts), mostRepeatedInPlan(template, assumption)),
    },
  ];
}

/** The effects that agents ask approval for; a plan may name any agent. */
function askedAboutIn({ agents }: Template): readonly Effect[] {
  return Object.values(agents).flatMap(({ effects }) => effects?.approval ?? []);
}

function dearestCall(template: Template, { callable }: CallableCapabilities, assumption: FailureAssumption): Amount {
  return mostOf([{ tool_calls: 1 }, ...callable.map((name) => priceOf(template, name, assumption))]);
}

/** The price of a capability; for a template, the bound of its run. */
function priceOf({ capabilities, templates = {} }: Template, name: string, assumption: FailureAssumption): Amount {
  const child = Object.hasOwn(templates, name) ? templates[name] : undefined;
  if (child === undefined) return priceOfCall(name, capabilities);
  return plus({ tool_calls: 1 }, mostOfRun(assumption.nothingFails ? (child.usual?.most ?? child.most) : child.most));
}

/** The most of a child run: unbounded for resources without a limit. */
function mostOfRun(most: Limit): Amount {
  const amounts = Object.values(limitKeys).map((of) => {
    const resource = of === 'tokens' ? 'tokens_in' : of;
    return [resource, most[of] ?? Number.POSITIVE_INFINITY] as const;
  });
  return Object.fromEntries(amounts.filter(([, amount]) => amount > 0));
}

function mayAsk({ capabilities }: Template, name: string): boolean {
  return Object.hasOwn(capabilities, name) && capabilities[name]?.asks === true;
}

/** `count` times the same; 0 times infinity is 0. */
export function repeated({ attempts, bill }: MostUse, count: number): MostUse {
  if (count === 0) return none;
  const used = Object.entries(bill).filter(([, each]) => each > 0);
  return {
    attempts: attempts === 0 ? 0 : attempts * count,
    bill: Object.fromEntries(used.map(([resource, each]) => [resource, each * count])),
  };
}

/** The most of each resource. */
export function highestUse(...all: readonly MostUse[]): MostUse {
  return { attempts: Math.max(0, ...all.map(({ attempts }) => attempts)), bill: mostOf(all.map(({ bill }) => bill)) };
}

export function sumOfUses(all: readonly MostUse[]): MostUse {
  return all.reduce((sum, each) => ({ attempts: sum.attempts + each.attempts, bill: plus(sum.bill, each.bill) }), none);
}
