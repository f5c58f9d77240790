// The planner port: a planner answers a brief with a fragment, and may make calls and ask questions on the way.
import type { Failure } from '../base/failure.ts';
import { defined, type Json } from '../base/json.ts';
import { good } from '../base/result.ts';
import type { Declaration } from '../contract/declaration.ts';
import type { Call, CallOutcome } from '../engine/record/call.ts';
import type { Brief } from '../planning/brief.ts';

/** A question to a person, on which the planner waits. `answer` is a schema; by default any answer fits. */
export interface Question {
  readonly kind: 'question';
  readonly question: string;
  readonly answer?: Json;
}

/**
 * `fragment` is the planner's raw answer: a fragment, `{"impossible": "reason"}`, or a question
 * `{"needs_clarification": {"question", "answer"?}}`, after which it is asked again with `clarifications` in its brief.
 */
export type Reply =
  /** `found` holds tools of servers that the plan uses and that are not granted yet. */
  | { readonly ok: true; readonly fragment: Json; readonly found?: readonly Declaration[] }
  | { readonly ok: false; readonly failure: Failure };

/** Pure: the same brief and outcomes give the same calls and the same reply, so a proposal can be replayed. */
export type Proposal = Generator<Call | Question, Reply, CallOutcome>;

export interface Planner {
  propose(brief: Brief): Proposal;
}

/** Each call is an effect of its own, recorded before the planner goes on. */
export type Progress = { readonly done: true; readonly reply: Reply } | { readonly done: false; readonly call: Call };

/**
 * Replays a planner over the recorded outcomes, up to its next call or its reply. Questions are answered from the brief; an
 * unanswered question becomes the reply.
 */
export function advance(planner: Planner, brief: Brief, recorded: readonly CallOutcome[]): Progress {
  const proposal = planner.propose(brief);
  const left = [...recorded];
  let step = proposal.next();
  while (!step.done) {
    const need = step.value;
    const outcome = need.kind === 'question' ? answerTo(need, brief) : left.shift();
    if (outcome !== undefined) step = proposal.next(outcome);
    else return need.kind === 'question' ? { done: true, reply: ask(need) } : { done: false, call: need };
  }
  return { done: true, reply: step.value };
}

function answerTo({ question }: Question, { clarifications = [] }: Brief): CallOutcome | undefined {
  const said = clarifications.find((each) => each.question === question);
  return said === undefined ? undefined : good(said.answer);
}

function ask({ question, answer }: Question): Reply {
  return {
    ok: true,
    fragment: { needs_clarification: { question, ...defined({ answer }) } },
  };
}
