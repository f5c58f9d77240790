// The most that model calls may use: turns of an agent, readings of a verdict, fallbacks, and repeated requests.
import { defined } from '../../base/json.ts';
import { type Amount, mostOf, nothing, plus, times } from '../../budget/amount.ts';
import { summaryRoom } from '../../context/packet.ts';
import type { Declaration } from '../../contract/declaration.ts';
import { approvalFor, joined } from '../../contract/effects-policy.ts';
import { holdsSensitive } from '../../contract/sensitive.ts';
import { mostInputRate, type Price, type TokenRates } from '../../model/price.ts';
import type { ModelProfile } from '../../model/profile.ts';
import { priceOfCall } from '../../planning/estimate.ts';
import { type AgentSpec, type JudgeSpec, turnsOf } from '../../template/keys/agent.ts';
import { criticModelOf, modelNamed } from '../../template/model-use.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Template } from '../../template/template.ts';
import { amountOfEmbeddings } from '../account/price-call.ts';
import { toolsOf } from '../agent/agent-tools.ts';
import { callsPerTurn } from '../agent/agent-work.ts';
import { REMARKS_TOKENS } from '../agent/critic.ts';
import { MOST_COMPARED } from '../agent/embeddings-tries.ts';
import { VERDICT_TOKENS } from '../agent/judge.ts';
import { ANSWER_READINGS, roomFor } from '../agent/read-answer.ts';
import { summaryTokens } from '../agent/summary.ts';
import { attemptsOf, modelsOf, triesOf } from '../queries/tries.ts';
import type { FailureAssumption } from './failure-assumption.ts';

/** Answers of a model for one proposal: look-ups and mended answers; each answered question allows one more. */
export const PLANNER_TURNS = 6;

/** Answers of a model that chooses capabilities for one reading of a goal: open servers, search, choose, mend. */
export const CHOICE_ASKS = 4;

/**
 * One request, and one to each fallback. Repeated requests are counted for the step. Without a known context window, the
 * prompt is unbounded.
 */
export function mostOfAsk(
  template: Template,
  model: string | undefined,
  assumption: FailureAssumption,
  output?: number,
): Amount {
  const named = modelNamed(template.models, model);
  if (named === undefined) return nothing;
  const asked = assumption.nothingFails ? [named] : [named, ...(named.fallbacks ?? [])];
  return asked.reduce((sum, { profile }) => plus(sum, mostOfTry(profile, output)), nothing);
}

/** The requests that a step repeats after failures, each to the most expensive model that it asks. */
export function mostRepeated(template: Template, step: StepSpec, assumption: FailureAssumption): Amount {
  const compared = step.planning === undefined ? nothing : mostOfEmbeddings(template);
  const most = mostOf([compared, ...modelsOf(template, step).map((profile) => mostOfTry(profile))]);
  return times(most, assumption.repeats(attemptsOf(step), triesOf(template, step)));
}

/** Like `mostRepeated`, for any step of an unknown plan. */
export function mostRepeatedInPlan(template: Template, assumption: FailureAssumption): Amount {
  const { embeddings, models } = template;
  const { attempts } = assumption.planned;
  const profiles = Object.values(models);
  const tries = Math.max(...[...profiles, embeddings].map((profile) => 1 + (profile?.maxRetries ?? 0)));
  const most = mostOf([mostOfEmbeddings(template), ...profiles.map((profile) => mostOfTry(profile))]);
  return times(most, assumption.repeats(attempts, tries));
}

function mostOfTry({ contextWindow, maxOutputTokens, price }: ModelProfile, output: number = maxOutputTokens): Amount {
  const input = contextWindow ?? Number.POSITIVE_INFINITY;
  const written = Math.min(output, maxOutputTokens);
  const cost = defined({ cost_usd: price === undefined ? undefined : mostCost(price, input, written) });
  return { llm_calls: 1, tokens_in: input, tokens_out: written, ...cost };
}

const MILLION = 1_000_000;

function mostCost(price: Price, input: number, output: number): number {
  const all: readonly TokenRates[] = [price, ...(price.tiers ?? [])];
  return Math.max(
    ...all.map((rates) => Math.ceil((of(mostInputRate(rates), input) + of(rates.output, output)) / MILLION)),
  );
}

/** The cost, with 0 times infinity as 0. */
function of(rate: number, tokens: number): number {
  return rate === 0 ? 0 : rate * tokens;
}

/** The most of an agent for one result. Questions to people take turns, but are no calls. */
export function mostOfAgent(template: Template, agent: AgentSpec, assumption: FailureAssumption): Amount {
  const { model } = agent;
  const maxTurns = turnsOf(agent, template.limits);
  const offered = offeredTo(template, agent);
  const called = mostOf(offered.map(({ name }) => priceOfCall(name, template.capabilities)));
  // An agent without tools answers at once, unless its answer must be mended.
  const turns = assumption.nothingFails && offered.length === 0 ? 1 : maxTurns;
  const asks = turns + (assumption.nothingFails && offered.length === 0 ? 0 : ASKS_AFTER_LAST_TURN);
  return plus(times(mostOfAsk(template, model, assumption), asks), times(called, callsOfAgent(agent, turns)));
}

function offeredTo(template: Template, { tools, effects }: AgentSpec): readonly Declaration[] {
  return [...toolsOf(template, tools, joined(template.effects, effects)).byName.values()];
}

/** A model that calls a tool in its last turn is asked once more. */
const ASKS_AFTER_LAST_TURN = 1;

/** The most tool calls: the last turn has to be the answer. */
function callsOfAgent(agent: AgentSpec, turns: number): number {
  return (turns - 1) * callsPerTurn(agent);
}

/** The most calls of an agent that need approval first. */
export function mostApprovals(template: Template, agent: AgentSpec): number {
  const policy = joined(template.effects, agent.effects);
  const isAsked = offeredTo(template, agent).some((tool) => approvalFor(tool, policy, 'agent').verdict === 'ask');
  const turns = turnsOf(agent, template.limits);
  return (isAsked ? callsOfAgent(agent, turns) : 0) + mostPromptApprovals(template) * (turns + ASKS_AFTER_LAST_TURN);
}

/** The most questions before sensitive prompts for one answer: one. */
export function mostPromptApprovals({ input, capabilities, steps, effects }: Template): number {
  if (effects?.allowed.includes('llm') === true) return 0;
  const contracts = [
    input,
    ...Object.values(capabilities).map(({ output }) => output),
    ...steps.map(({ output }) => output),
  ];
  return contracts.some((contract) => contract !== undefined && holdsSensitive(contract)) ? 1 : 0;
}

export function mostOfJudge(template: Template, { model }: JudgeSpec, assumption: FailureAssumption): Amount {
  return mostOfReadings(assumption, (timesCut) =>
    mostOfAsk(template, model, assumption, roomFor(VERDICT_TOKENS, timesCut)),
  );
}

/** The most of the model critic for one proposal; nothing without one. */
export function mostOfCritic(template: Template, assumption: FailureAssumption): Amount {
  const model = criticModelOf(template);
  return model === undefined
    ? nothing
    : mostOfReadings(assumption, (timesCut) =>
        mostOfAsk(template, model.name, assumption, roomFor(REMARKS_TOKENS, timesCut)),
      );
}

/** All requests for one answer, each with more room than the one before. */
function mostOfReadings(assumption: FailureAssumption, most: (timesCut: number) => Amount): Amount {
  const readings = assumption.readings(ANSWER_READINGS);
  return Array.from({ length: readings }, (_, timesCut) => most(timesCut)).reduce(plus, nothing);
}

/** The most of the embeddings for one reading of a goal; nothing without them. */
export function mostOfEmbeddings({ embeddings }: Template): Amount {
  if (embeddings === undefined) return nothing;
  const { goals, texts, characters } = MOST_COMPARED;
  return amountOfEmbeddings(embeddings, (goals + texts) * characters * BYTES);
}

/** Bytes of a character; a token has at least one byte. */
const BYTES = 3;

/** The most of the summaries before a plan: one for all attempts, and another one after each lost delivery. */
export function mostOfSummary(
  template: Template,
  { model, maxTokens }: SummarySettings,
  attempts: number,
  assumption: FailureAssumption,
): Amount {
  const output = summaryTokens(summaryRoom(maxTokens));
  const ask = (timesCut: number): Amount => mostOfAsk(template, model, assumption, roomFor(output, timesCut));
  const most = mostOfReadings(assumption, ask);
  const longest = ask(ANSWER_READINGS - 1);
  return assumption.nothingFails ? most : plus(most, times(longest, attempts));
}

type SummarySettings = Pick<Template['context'], 'model' | 'maxTokens'>;

/** The most of each resource over all models of the template. */
export function mostOfAnyModel(template: Template, most: (model: string) => Amount): Amount {
  return mostOf(Object.keys(template.models).map(most));
}
