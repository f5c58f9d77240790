// Performs a step that may take several calls: the turns of an agent, a search for attachments, the verdict of a judge.

import { digestOf } from '../../base/digest.ts';
import { type Failure, failure } from '../../base/failure.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { bad, good } from '../../base/result.ts';
import { contractOf } from '../../contract/contract.ts';
import { questionIn } from '../../planning/question.ts';
import { type Affordability, afford, canAfford } from '../account/afford.ts';
import { priceCall } from '../account/price-call.ts';
import { skipForBudget } from '../account/skip-for-budget.ts';
import { agentWork } from '../agent/agent-work.ts';
import { judgeWork } from '../agent/judge.ts';
import { calleeOf } from '../queries/callee.ts';
import {
  advance,
  type Call,
  type CallOutcome,
  type CapabilityCall,
  tooManyCalls,
  type Work,
  type WorkProgress,
} from '../record/call.ts';
import { adoptFinishedWork } from '../repair/adopt-finished-work.ts';
import { type FailedAttempt, retryOrFail } from '../repair/retry-or-fail.ts';
import { callsUnderWay } from '../state/attempt-calls.ts';
import { type Batch, emit } from '../state/batch.ts';
import { childUnderWay } from '../state/child-run.ts';
import { unpaidFor } from '../state/exhaustion.ts';
import type { RunState, Step } from '../state/state.ts';
import { hasFiles, isAboutAttachment, lookForFiles } from '../values/attachments.ts';
import { callInput } from '../values/call-input.ts';
import { verify } from '../values/check-predicate.ts';
import { checkResult } from '../values/check-result.ts';
import { tokensOf } from '../values/gathered-results.ts';
import {
  askForApproval,
  earlierRejection,
  isHeldForApproval,
  isHeldForSensitiveValues,
  wantsApproval,
} from './approval.ts';
import { outcomesForWork } from './call-outcomes.ts';
import { clarify } from './clarification.ts';
import { completeStep, failVerification, failWithoutRetry } from './complete-step.ts';
import { answerCall, makeCall, nextCallNumber } from './make-call.ts';

type WorkEnd = CallOutcome & {
  /** The result that the judge rejected. */
  readonly rejected?: Json;
};

/** Whether the step may take more than one call. */
export function takesSeveralCalls({ spec }: Step): boolean {
  if (spec.capability === undefined) return spec.agent !== undefined;
  return spec.agent !== undefined || spec.judge !== undefined || hasFiles(spec);
}

/** Starts work that is paid call by call, once its first call can be paid for. */
export function startCalls(batch: Batch, step: Step): void {
  const input = callInput(batch, step);
  if (!input.ok) return failWithoutRetry(batch, step, input.error);
  if (adoptFinishedWork(batch, step, calleeOf(batch.state, step.spec) ?? '', input.value)) return;
  const afforded = affordNext(batch, step, input.value);
  if (afforded === 'no') skipForBudget(batch, step);
  if (afforded !== 'yes') return;
  const { capability } = step.spec;
  if (capability !== undefined && wantsApproval(batch, step, capability)) {
    return askForApproval(batch, step, capability, input.value);
  }
  const { id, attempt } = step;
  emit(batch, step.since, { type: 'attempt.started', step: id, attempt: attempt + 1, input: digestOf(input.value) });
  continueCalls(batch, step);
}

function affordNext(batch: Batch, step: Step, input: Json): Affordability {
  const progress = progressOf(batch, step, input);
  return afford(batch, step, progress.done ? {} : priceCall(batch, step, progress.call).amount);
}

/** Makes the next call, or ends the step, as the recorded outcomes require. */
export function continueCalls(batch: Batch, step: Step, chance = 0): void {
  const input = callInput(batch, step);
  if (!input.ok) return failWithoutRetry(batch, step, input.error);
  const progress = progressOf(batch, step, input.value);
  if (progress.done) finish(batch, step, input.value, progress.end, chance);
  else proceed(batch, step, progress.call);
}

/** Makes the call unless it is under way, and then the calls beside it. */
function proceed(batch: Batch, step: Step, call: Call): void {
  const number = nextCallNumber(step);
  // A child run that goes on after a pause is handed out again.
  const isDue = callsUnderWay(step).length === 0 || childUnderWay(batch.state, step) !== undefined;
  if (isDue && !makeNext(batch, step, call)) return;
  if (call.kind !== 'capability' || call.beside === undefined) return;
  const { calls, atOnce } = call.beside;
  for (const [index, each] of [call, ...calls].entries()) {
    if (callsUnderWay(step).length >= atOnce) return;
    if (isBegun(step, number + index)) continue;
    // A call that cannot be made now waits for those under way, and is decided about when they have ended.
    if (!mayBeMadeBeside(batch, step, each, number + index)) return;
    if (makeCall(batch, step, each, number + index) !== 'yes') return;
  }
}

function isBegun(step: Step, number: number): boolean {
  const record = step.calls[number - 1];
  return record !== undefined && (record.outcome !== undefined || callsUnderWay(step).includes(record));
}

function mayBeMadeBeside(batch: Batch, step: Step, call: CapabilityCall, number: number): boolean {
  return tooManyCalls(number) === undefined && canAfford(batch, step, priceCall(batch, step, call).amount);
}

/** Whether the call is now under way. Otherwise the step is held, has ended, or has gone on without the call. */
function makeNext(batch: Batch, step: Step, call: Call): boolean {
  const excess = tooManyCalls(nextCallNumber(step));
  if (excess !== undefined) {
    failWithoutRetry(batch, step, excess);
    return false;
  }
  if (call.kind === 'capability' && step.spec.agent !== undefined) {
    const refused = earlierRejection(batch, step, call.name, call.input);
    if (refused !== undefined) {
      answerCall(batch, step, call, bad(refused));
      continueCalls(batch, step);
      return false;
    }
    if (isHeldForApproval(batch, step, call.name, call.input)) return false;
  }
  if (isHeldForSensitiveValues(batch, step, call)) return false;
  const made = makeCall(batch, step, call);
  if (made === 'answered') continueCalls(batch, step);
  if (made === 'no') {
    const { failure, stop } = unpaidFor(batch.state, step);
    emit(batch, step.since, { type: 'step.failed', step: step.id, failure, stop });
  }
  return made === 'yes';
}

/** Records a failure for the next call instead of making it. */
export function refuseNextCall(batch: Batch, step: Step, why: Failure): void {
  const input = callInput(batch, step);
  const progress = input.ok ? progressOf(batch, step, input.value) : undefined;
  if (progress?.done === false) answerCall(batch, step, progress.call, bad(why));
}

function finish(batch: Batch, step: Step, input: Json, end: WorkEnd, chance: number): void {
  const free: Omit<FailedAttempt, 'kind'> = { bill: {}, chance };
  if (!end.ok) {
    if (end.rejected === undefined) return retryOrFail(batch, step, end.error, { kind: 'failure', ...free });
    return failVerification(batch, step, end.error, { value: end.rejected, kind: 'verification', ...free });
  }
  const question = questionIn(end.value);
  if (question !== undefined) return clarify(batch, step, question, { ...whoOf(step), input }, {});
  const tokens = step.spec.type === 'synthesis_gate' ? tokensOf(batch, input, end.value) : undefined;
  completeStep(batch, step, input, end.value, {}, chance, { tokens });
}

function whoOf({ spec: { agent, capability } }: Step): JsonObject {
  return agent === undefined ? { capability: capability ?? '' } : { agent: agent.name };
}

function progressOf(batch: Batch, step: Step, input: Json): WorkProgress<WorkEnd> {
  return advance(workOf(batch, step, input), outcomesForWork(batch, step));
}

function* workOf(batch: Batch, step: Step, input: Json): Work<WorkEnd> {
  const { agent, judge } = step.spec;
  const wrong = agent === undefined ? undefined : wrongInput(batch.state, step, input);
  if (wrong !== undefined) return bad(wrong);
  const attached = yield* lookForFiles(batch, step);
  if (!attached.ok) return attached;
  if (attached.value.kind === 'missing') return good({ needs_clarification: attached.value.question });
  const done =
    agent === undefined
      ? yield* oneCall(step, input)
      : yield* agentWork(batch, step, agent, input, attached.value.attachments);
  if (!done.ok || judge === undefined || questionIn(done.value) !== undefined) return done;
  const checked = checkResult(batch.state, step, done.value);
  // `completeStep` reports a broken contract; a judge need not see such a result.
  if (!checked.ok) return done;
  const { value: result } = checked.value;
  const verdict = verify(batch, step, input, result);
  if (verdict.type === 'failed' || verdict.type === 'error') return done;
  const judged = yield* judgeWork(batch, step, judge, input, result);
  if (judged.kind === 'passed') return done;
  return { ...bad(judged.failure), ...(judged.kind === 'rejected' ? { rejected: result } : {}) };
}

/** Checks the input of a capability that an agent performs. Other inputs are checked where the capability is called. */
function wrongInput({ template }: RunState, { spec: { capability = '' } }: Step, input: Json): Failure | undefined {
  const schema = Object.hasOwn(template.capabilities, capability)
    ? template.capabilities[capability]?.input
    : undefined;
  const checked = schema === undefined ? undefined : contractOf(schema).check(input);
  if (checked === undefined || checked.ok) return undefined;
  const messages = checked.error.map(({ message }) => message).join('; ');
  return failure('INPUT_INVALID', `the input of ${capability} breaks its contract: ${messages}`, { retry: 'never' });
}

/** Repeats the call after each answered question. */
function* oneCall({ spec, people }: Step, input: Json): Work<WorkEnd> {
  const answered = people?.answers.filter(({ as }) => !isAboutAttachment(as)).length ?? 0;
  for (let asked = 0; ; asked++) {
    const done = yield { kind: 'capability', name: spec.capability ?? '', input };
    if (!done.ok || questionIn(done.value) === undefined || asked >= answered) return done;
  }
}
