// Asks a model to summarize the results when they do not fit the packet of a planner, once for each planning step.
import { type Failure, failure } from '../../base/failure.ts';
import { bad, type Result } from '../../base/result.ts';
import { type Amount, plus } from '../../budget/amount.ts';
import { type Packet, type PacketRequest, summaryRoom } from '../../context/packet.ts';
import { showsAll, summaryInput } from '../../context/summary-input.ts';
import { modelNamed, type NamedModel, plannerModelOf, summaryFor } from '../../template/model-use.ts';
import { canAfford } from '../account/afford.ts';
import { leastPriceOfAsk, priceCall } from '../account/price-call.ts';
import { summaryTokens, summaryWork } from '../agent/summary.ts';
import { outcomesOf, summaryCalls } from '../attempt/call-outcomes.ts';
import { answerCall, makeCall } from '../attempt/make-call.ts';
import { advance, type Call } from '../record/call.ts';
import type { Batch } from '../state/batch.ts';
import type { Step } from '../state/state.ts';

type EarlierSummary = NonNullable<PacketRequest['summary']>;

/** Tokens of the system prompt and of other fixed parts. */
const AROUND = 1_000;

/** Returns undefined if no summary is needed, and `asked` if the planner waits for the summary. */
export function summarizeResults(
  batch: Batch,
  step: Step,
  request: PacketRequest,
  packet: Packet,
): EarlierSummary | 'asked' | undefined {
  const { template } = batch.state;
  const settings = summaryFor(template, step.spec);
  const model = settings && modelNamed(template.models, settings.model);
  if (settings === undefined || model === undefined || showsAll(packet)) return undefined;
  const maxTokens = summaryRoom(settings.maxTokens);
  const found = summaryInput(request, roomIn(model, maxTokens));
  if (found === undefined) return { why: `the model "${model.name}" has no room for what is to be summed up` };
  const task = { goal: request.problem.goal, found, maxTokens };
  for (;;) {
    const progress = advance(summaryWork(model, task), outcomesOf(batch, summaryCalls(step)));
    if (progress.done) return summaryOf(progress.end);
    const { call } = progress;
    if (!isPaidBesidePlan(batch, step, call, settings.maxTokens)) answerCall(batch, step, call, unpaid);
    else if (makeCall(batch, step, call) !== 'answered') return 'asked';
  }
}

function roomIn({ profile: { contextWindow = Number.POSITIVE_INFINITY, maxOutputTokens } }: NamedModel, of: number) {
  return contextWindow - Math.min(summaryTokens(of), maxOutputTokens) - AROUND;
}

const unpaid = bad(failure('BUDGET_EXCEEDED', 'it cannot be paid for beside the plan itself', { retry: 'never' }));

/** Whether the budget pays for the summary and then still for the planner. */
function isPaidBesidePlan(batch: Batch, step: Step, call: Call, maxTokens: number): boolean {
  const { amount } = priceCall(batch, step, call);
  return canAfford(batch, step, plus(amount, leastOfPlan(batch, step, maxTokens)));
}

function leastOfPlan({ state: { template } }: Batch, { spec }: Step, maxTokens: number): Amount {
  const asked = plannerModelOf(spec.planning?.planner);
  const model = asked && modelNamed(template.models, asked.model);
  return model === undefined ? {} : leastPriceOfAsk(model.profile, maxTokens);
}

function summaryOf(summed: Result<string, Failure>): EarlierSummary {
  return summed.ok ? { text: summed.value } : { why: whyNot(summed.error) };
}

function whyNot({ code, message }: Failure): string {
  return `${code}: ${message}`;
}
