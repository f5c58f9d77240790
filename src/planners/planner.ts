// The planner port: a planner answers a brief with a fragment, and may make calls and ask questions on the way.
import type { Failure } from '../base/failure.ts';
import { defined, type Json } from '../base/json.ts';
import { good, type Result } from '../base/result.ts';
import type { Declaration } from '../contract/declaration.ts';
import type { Call, CallOutcome, WorkProgress } from '../engine/record/call.ts';
import type { Brief } from '../planning/brief.ts';

/** A question to a person, on which the planner waits. `answer` is a schema; by default any answer fits. */
export interface QuestionToPerson {
  readonly kind: 'question';
  readonly question: string;
  readonly answer?: Json;
}

export interface ProposedPlan {
  /**
   * The planner's raw answer: a fragment, `{"impossible": "reason"}`, or a question
   * `{"needs_clarification": {"question", "answer"?}}`, after which it is asked again with `clarifications` in its brief.
   */
  readonly fragment: Json;
  /** Tools of servers that the plan uses and that are not granted yet. */
  readonly found?: readonly Declaration[];
}

export type PlannerReply = Result<ProposedPlan, Failure>;

/** Work that may also ask a person. */
export type PlannerWork<End> = Generator<Call | QuestionToPerson, End, CallOutcome>;

/** Pure: the same brief and outcomes give the same calls and the same reply, so a proposal can be replayed. */
export type Proposal = PlannerWork<PlannerReply>;

export interface Planner {
  propose(brief: Brief): Proposal;
}

export type PlannerProgress = WorkProgress<PlannerReply>;

/**
 * Replays a planner over the recorded outcomes, up to its next call or its reply. Each call is an effect of its own, recorded
 * before the planner goes on. Questions are answered from the brief; an unanswered question becomes the reply.
 */
export function advance(planner: Planner, brief: Brief, recorded: readonly CallOutcome[]): PlannerProgress {
  const proposal = planner.propose(brief);
  const left = [...recorded];
  let step = proposal.next();
  while (!step.done) {
    const need = step.value;
    const outcome = need.kind === 'question' ? answerTo(need, brief) : left.shift();
    if (outcome !== undefined) step = proposal.next(outcome);
    else return need.kind === 'question' ? { done: true, end: ask(need) } : { done: false, call: need };
  }
  return { done: true, end: step.value };
}

function answerTo({ question }: QuestionToPerson, { clarifications = [] }: Brief): CallOutcome | undefined {
  const said = clarifications.find((each) => each.question === question);
  return said === undefined ? undefined : good(said.answer);
}

function ask({ question, answer }: QuestionToPerson): PlannerReply {
  return good({ fragment: { needs_clarification: { question, ...defined({ answer }) } } });
}
