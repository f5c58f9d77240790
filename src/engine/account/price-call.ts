// The reservation of a call before it is made: for a model, its prompt and the longest answer that can be paid for.

import { failure } from '../../base/failure.ts';
import { defined } from '../../base/json.ts';
import { bad } from '../../base/result.ts';
import type { Amount } from '../../budget/amount.ts';
import { shortfall } from '../../budget/ledger.ts';
import type { CountTokens } from '../../context/tokens.ts';
import { costOf, mostCostOf } from '../../model/price.ts';
import type { EmbeddingsProfile, ModelProfile } from '../../model/profile.ts';
import type { ModelRequest } from '../../model/request.ts';
import { modelNamed } from '../../template/model-use.ts';
import type { Call, CallOutcome, EmbeddingsCall, ModelCall } from '../record/call.ts';
import type { Batch } from '../state/batch.ts';
import { reservationFor } from '../state/reservation.ts';
import type { Step } from '../state/state.ts';

/** The call as it is made, and its highest cost. */
export interface PricedCall {
  readonly call: Call;
  readonly amount: Amount;
  /** The failure of a prompt that leaves no room for an answer; the model is not asked. */
  readonly tooLong?: CallOutcome;
}

/** Tokens that a provider adds to each message, and to the whole. */
const OVERHEAD_TOKENS = 8;

export function priceCall(batch: Batch, step: Step, call: Call): PricedCall {
  const { template } = batch.state;
  switch (call.kind) {
    case 'capability':
      return { call, amount: reservationFor(batch.state, step, call.name) };
    case 'look_up':
    case 'files':
    case 'discover':
      return { call, amount: {} };
    case 'embeddings':
      return { call, amount: priceOfEmbeddings(batch, call) };
    case 'model': {
      const profile = modelNamed(template.models, call.request.model)?.profile;
      if (profile === undefined) return { call, amount: { llm_calls: 1 } };
      return priceOfAsk(batch, step, profile, call);
    }
  }
}

/** The cost of a request for embeddings; nothing if no embeddings model is configured. */
function priceOfEmbeddings({ state, countTokens }: Batch, { request }: EmbeddingsCall): Amount {
  const { embeddings } = state.template;
  if (embeddings === undefined) return {};
  const texts = [...request.goals, ...request.texts];
  return amountOfEmbeddings(
    embeddings,
    texts.reduce((sum, text) => sum + countTokens(text), 0),
  );
}

/** Embeddings are paid by tokens and do not count as model calls. */
export function amountOfEmbeddings({ price: rates }: Pick<EmbeddingsProfile, 'price'>, input: number): Amount {
  const cost = defined({ cost_usd: rates === undefined ? undefined : costOf(rates, { input, output: 0 }) });
  return { tokens_in: input, ...cost };
}

/** Asks for a shorter answer if the longest cannot be paid for, down to `minOutputTokens`. */
function priceOfAsk(batch: Batch, step: Step, profile: ModelProfile, call: ModelCall): PricedCall {
  const { state, countTokens } = batch;
  const { request } = call;
  const { contextWindow = Number.POSITIVE_INFINITY, minOutputTokens, maxOutputTokens } = profile;
  const input = tokensOf(request, countTokens);
  const room = contextWindow - input;
  if (room < minOutputTokens) return { call, amount: {}, tooLong: tooLong(request.model, input, contextWindow) };
  const wanted = Math.min(request.maxOutputTokens ?? maxOutputTokens, room);
  const isLanding = state.landing.has(step.id);
  for (let most = wanted; ; most = Math.floor(most / 2)) {
    const output = Math.max(most, minOutputTokens);
    const amount = amountOf(profile, input, output);
    const isLast = output === minOutputTokens;
    if (isLast || shortfall(state.ledger, step.account, amount, isLanding) === undefined) {
      return { call: { ...call, request: { ...request, maxOutputTokens: output } }, amount };
    }
  }
}

function tooLong(model: string, input: number, contextWindow: number): CallOutcome {
  const message = `the prompt has some ${input} tokens, and models.${model}.context_window of ${contextWindow} leaves no room for an answer`;
  return bad(failure('MODEL_CONTEXT_EXCEEDED', message, { retry: 'never' }));
}

/** The cost of a request with `input` tokens and the shortest useful answer. */
export function leastPriceOfAsk(profile: ModelProfile, input: number): Amount {
  return amountOf(profile, input, profile.minOutputTokens);
}

function amountOf({ price: rates }: ModelProfile, input: number, output: number): Amount {
  const cost = defined({ cost_usd: rates === undefined ? undefined : mostCostOf(rates, { input, output }) });
  return { llm_calls: 1, tokens_in: input, tokens_out: output, ...cost };
}

/** The tokens of a prompt, with its tools and the schema of its answer. */
function tokensOf({ messages, tools = [], answer }: ModelRequest, countTokens: CountTokens): number {
  const parts = [...messages, ...tools, ...(answer === undefined ? [] : [answer.schema])];
  return parts.reduce((sum, part) => sum + countTokens(JSON.stringify(part)) + OVERHEAD_TOKENS, OVERHEAD_TOKENS);
}
