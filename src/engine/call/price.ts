// What a call sets aside before it is made: of a model, what its prompt counts and the longest answer that can be paid for.
import type { Amount } from '../../budget/amount.ts';
import { shortfall } from '../../budget/ledger.ts';
import type { CountTokens } from '../../context/tokens.ts';
import { costOf } from '../../model/price.ts';
import type { ModelProfile } from '../../model/profile.ts';
import type { ModelRequest } from '../../model/request.ts';
import { priceOfCall } from '../../planning/estimate.ts';
import { modelNamed } from '../../template/model-named.ts';
import type { Batch } from '../batch.ts';
import type { Step } from '../state.ts';
import type { Call } from './call.ts';

/** The call as it is made, and what it may cost. */
export interface Priced {
  readonly call: Call;
  readonly amount: Amount;
}

/** What a provider puts around each message, and around the whole. */
const AROUND = 8;

export function price(batch: Batch, step: Step, call: Call): Priced {
  const { template } = batch.state;
  switch (call.kind) {
    case 'capability':
      return { call, amount: priceOfCall(call.name, template.capabilities) };
    case 'look_up':
    case 'files':
      return { call, amount: {} };
    case 'model': {
      const profile = modelNamed(template.models, call.request.model)?.profile;
      if (profile === undefined) return { call, amount: { llm_calls: 1 } };
      const { request, amount } = priceOfAsk(batch, step, profile, call.request);
      return { call: { ...call, request }, amount };
    }
  }
}

/** When the longest answer cannot be paid for, a shorter one is asked for, down to the shortest that is of use. */
function priceOfAsk(
  { state, countTokens }: Batch,
  step: Step,
  profile: ModelProfile,
  request: ModelRequest,
): { readonly request: ModelRequest; readonly amount: Amount } {
  const input = tokensOf(request, countTokens);
  const fits = profile.contextWindow === undefined ? Number.POSITIVE_INFINITY : profile.contextWindow - input;
  const wanted = Math.min(request.maxOutputTokens ?? profile.maxOutputTokens, fits);
  const isLanding = state.landing.has(step.id);
  for (let most = wanted; ; most = Math.floor(most / 2)) {
    const output = Math.max(most, profile.minOutputTokens);
    const amount = amountOf(profile, input, output);
    const isLast = output === profile.minOutputTokens;
    if (isLast || shortfall(state.ledger, step.account, amount, isLanding) === undefined) {
      return { request: { ...request, maxOutputTokens: output }, amount };
    }
  }
}

function amountOf({ price: rates }: ModelProfile, input: number, output: number): Amount {
  const cost = rates === undefined ? {} : { cost_usd: costOf(rates, { input, output }) };
  return { llm_calls: 1, tokens_in: input, tokens_out: output, ...cost };
}

/** Tokens of a prompt, tools and answer's schema included. */
export function tokensOf({ messages, tools = [], answer }: ModelRequest, countTokens: CountTokens): number {
  const parts = [...messages, ...tools, ...(answer === undefined ? [] : [answer.schema])];
  return parts.reduce((sum, part) => sum + countTokens(JSON.stringify(part)) + AROUND, AROUND);
}
