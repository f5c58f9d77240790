// The most that a step may ask of the world: every attempt, question and redelivery of it, and of what it fans out to.
import { type Amount, mostOf, nothing, plus, times } from '../budget/amount.ts';
import { limitKeys } from '../budget/limits.ts';
import type { Effect } from '../contract/declaration.ts';
import { mostOfPlanned } from '../planning/checks/size.ts';
import { priceOfCall } from '../planning/estimate.ts';
import { type AgentSpec, agentIn, defaultAgent } from '../template/agent-spec.ts';
import { asksAboutMissing, MISSING_ASKS } from '../template/missing.ts';
import { goesByWords, modelAskedBy } from '../template/model-asked.ts';
import { CLARIFICATIONS, type PlannerSpec, type StepSpec } from '../template/step-spec.ts';
import { summaryFor } from '../template/summary-for.ts';
import type { ChildTemplate, Template } from '../template/template.ts';
import {
  mostApprovals,
  mostLeaves,
  mostOfAgent,
  mostOfAnyModel,
  mostOfAsk,
  mostOfCritic,
  mostOfEmbeddings,
  mostOfJudge,
  mostOfSummary,
  PLANNER_TURNS,
} from './most-of-models.ts';

export interface Most {
  /** How often it is handed out. */
  readonly attempts: number;
  readonly bill: Amount;
}

const none: Most = { attempts: 0, bill: nothing };

export function mostOfStep(template: Template, step: StepSpec): Most {
  const { fanOut, maxDeliveries } = step;
  if (fanOut !== undefined) return repeated(mostOfStep(template, fanOut.do), fanOut.maxWidth);
  // A run goes on as far as it came.
  const isRun = step.capability !== undefined && template.capabilities[step.capability]?.runs !== undefined;
  return repeated(mostDelivered(template, step), isRun && step.agent === undefined ? 1 : maxDeliveries);
}

function mostDelivered(template: Template, step: StepSpec): Most {
  const { planning, agent, capability, judge, retry } = step;
  const tries = retry.maxAttempts;
  if (planning !== undefined) return mostOfPlanner(template, step);
  const judged = judge === undefined ? nothing : mostOfJudge(template, judge);
  const leaves = judge === undefined ? 0 : mostLeaves(template);
  if (agent !== undefined) {
    const spec = agentIn(template.agents, agent);
    const waits = questionsOf(step) + tries * (mostApprovals(template, spec) + leaves);
    return { attempts: tries + waits, bill: times(plus(mostOfAgent(template, spec), judged), tries) };
  }
  if (capability === undefined) return none;
  const called = tries + (mayAsk(template, capability) ? questionsOf(step) : 0);
  return {
    attempts: called + tries * leaves,
    bill: plus(times(priceOf(template, capability), called), times(judged, tries)),
  };
}

/** It may ask once to see more, beside its proposals; a question does not begin a proposal anew. */
const TO_SEE_MORE = 1;

function mostOfPlanner(template: Template, step: StepSpec): Most {
  const { planning } = step;
  const proposals = (planning?.maxAttempts ?? 0) + TO_SEE_MORE;
  const questions = questionsOf(step);
  const attempts = proposals + questions;
  const planner = planning?.planner;
  const writer = summaryFor(template, step);
  const summed = writer === undefined ? nothing : mostOfSummary(template, writer, attempts);
  const compared = times(mostOfEmbeddings(template), proposals * readingsOf(planner));
  const beside = plus(plus(summed, compared), times(mostOfCritic(template), proposals));
  if (planner?.kind === 'capability') {
    const looks = times(mostOfAsk(template, undefined), proposals * asksOfMissing(template));
    return { attempts, bill: plus(times(priceOf(template, planner.name), attempts), plus(beside, looks)) };
  }
  const asked = modelAskedBy(planner);
  const ask = mostOfAsk(template, asked?.model);
  const before = ASKS_BEFORE * strategiesBefore(planner) + (template.pattern === 'auto' ? 1 : 0);
  const turns = asked === undefined ? 0 : turnsOf(proposals, questions) + proposals * before;
  return { attempts, bill: plus(times(ask, turns + proposals * asksOfMissing(template)), beside) };
}

/** Each model that takes a goal apart is asked to mend its answer once; a person's answer does not begin it anew. */
const ASKS_BEFORE = 2;

function strategiesBefore(planner: PlannerSpec | undefined): number {
  const strategies = planner?.kind === 'hybrid' ? (planner.strategies ?? []) : [];
  const strategy = planner?.kind === 'llm' ? planner.strategy : undefined;
  return [...strategies, strategy].filter((each) => each === 'intent_first' || each === 'grounded').length;
}

/** Of a goal, for one proposal: by its words, and by each model that takes it apart. */
function readingsOf(planner: PlannerSpec | undefined): number {
  return goesByWords(planner) ? 1 + strategiesBefore(planner) : 0;
}

/** For one proposal. */
function asksOfMissing({ missing }: Template): number {
  return asksAboutMissing(missing) ? MISSING_ASKS : 0;
}

function turnsOf(proposals: number, questions: number): number {
  return proposals * (PLANNER_TURNS + questions);
}

/**
 * Nobody knows what a planner will have done: each step as often as review lets it, and as dear as the dearest that the
 * template can call or ask. `nests`: a step may be a planning step too.
 */
export function mostOfAnyStep(template: Template, nests: boolean): Most {
  const { attempts, deliveries, questions } = mostOfPlanned;
  const asks = Object.keys(template.capabilities).some((name) => mayAsk(template, name));
  const proposals = attempts + TO_SEE_MORE;
  const called = nests ? proposals + questions : attempts + (asks ? questions : 0);
  const compared = nests ? times(mostOfEmbeddings(template), proposals * MOST_READINGS) : nothing;
  const capability: Most = { attempts: called, bill: plus(times(dearestCall(template), called), compared) };
  return repeated(either(capability, ...mostAsked(template, nests)), deliveries);
}

/** The strategies that take a goal apart before it is planned: `pattern`, `intent_first`, `grounded`. */
const MOST_READINGS = 3;

/** Nothing is asked where there is no model. */
function mostAsked(template: Template, nests: boolean): readonly Most[] {
  if (Object.keys(template.models).length === 0) return [];
  const { attempts, questions, turns } = mostOfPlanned;
  const agent: AgentSpec = {
    ...defaultAgent,
    tools: ['*'],
    effects: { allowed: [], denied: [], approval: askedAboutIn(template) },
    maxTurns: Math.max(turns, ...maxTurnsIn(template)),
  };
  const bill = mostOfAnyModel(template, (model) =>
    plus(mostOfAgent(template, { ...agent, model }), mostOfJudge(template, { model })),
  );
  const worked = {
    attempts: attempts + questions + attempts * (mostApprovals(template, agent) + mostLeaves(template)),
    bill: times(bill, attempts),
  };
  if (!nests) return [worked];
  const proposals = attempts + TO_SEE_MORE;
  const asked = mostOfAnyModel(template, (model) => mostOfAsk(template, model));
  // A plan says how much its planning steps are shown.
  const summed = mostOfAnyModel(template, (model) =>
    mostOfSummary(template, { model, maxTokens: Number.POSITIVE_INFINITY }, proposals + questions),
  );
  const asks = turnsOf(proposals, questions) + proposals * asksOfMissing(template);
  const compared = times(mostOfEmbeddings(template), proposals * MOST_READINGS);
  const beside = plus(plus(summed, compared), times(mostOfCritic(template), proposals));
  return [worked, { attempts: proposals + questions, bill: plus(times(asked, asks), beside) }];
}

/** A plan may name any agent of the template. */
function askedAboutIn({ agents }: Template): readonly Effect[] {
  return Object.values(agents).flatMap(({ effects }) => effects?.approval ?? []);
}

function maxTurnsIn({ agents }: Template): readonly number[] {
  return Object.values(agents).map(({ maxTurns }) => maxTurns);
}

function dearestCall(template: Template): Amount {
  return mostOf([{ tool_calls: 1 }, ...Object.keys(template.capabilities).map((name) => priceOf(template, name))]);
}

/** Of a run of a template all that it may use. */
function priceOf({ capabilities, templates = {} }: Template, name: string): Amount {
  const child = Object.hasOwn(templates, name) ? templates[name] : undefined;
  return child === undefined ? priceOfCall(name, capabilities) : plus({ tool_calls: 1 }, mostOfRun(child));
}

function mostOfRun({ most }: ChildTemplate): Amount {
  const amounts = Object.values(limitKeys).map((of) => {
    const resource = of === 'tokens' ? 'tokens_in' : of;
    return [resource, most[of] ?? Number.POSITIVE_INFINITY] as const;
  });
  return Object.fromEntries(amounts.filter(([, amount]) => amount > 0));
}

function mayAsk({ capabilities }: Template, name: string): boolean {
  return Object.hasOwn(capabilities, name) && capabilities[name]?.asks === true;
}

function questionsOf({ maxClarifications = CLARIFICATIONS }: StepSpec): number {
  return maxClarifications;
}

/** None of something is none of it, however often. */
export function repeated({ attempts, bill }: Most, count: number): Most {
  if (count === 0) return none;
  const used = Object.entries(bill).filter(([, each]) => each > 0);
  return {
    attempts: attempts === 0 ? 0 : attempts * count,
    bill: Object.fromEntries(used.map(([resource, each]) => [resource, each * count])),
  };
}

/** The most of each. */
export function either(...all: readonly Most[]): Most {
  return { attempts: Math.max(0, ...all.map(({ attempts }) => attempts)), bill: mostOf(all.map(({ bill }) => bill)) };
}

export function together(all: readonly Most[]): Most {
  return all.reduce((sum, each) => ({ attempts: sum.attempts + each.attempts, bill: plus(sum.bill, each.bill) }), none);
}
