// The planner port: who answers a brief with a fragment, asking for what it needs one thing at a time.
import type { Failure } from '../base/failure.ts';
import { defined, type Json } from '../base/json.ts';
import type { Declaration } from '../contract/declaration.ts';
import type { Call, CallOutcome } from '../engine/record/call.ts';
import type { Brief } from '../planning/brief.ts';

/** To a person: the planner goes on when they have answered. `answer` is a contract; absent: anything. */
export interface Question {
  readonly kind: 'question';
  readonly question: string;
  readonly answer?: Json;
}

/**
 * `fragment` is whatever the planner answered, unread: a fragment, `{"impossible": "reason"}`, or a question
 * `{"needs_clarification": {"question", "answer"?}}`, after which it is asked again with `clarifications` in its brief.
 */
export type Reply =
  /** `found`: tools of servers that the plan uses, and that nobody has granted yet. */
  | { readonly ok: true; readonly fragment: Json; readonly found?: readonly Declaration[] }
  | { readonly ok: false; readonly failure: Failure };

/** Pure: the same brief and the same outcomes bring the same calls and the same reply, so it can be run again. */
export type Proposal = Generator<Call | Question, Reply, CallOutcome>;

export interface Planner {
  propose(brief: Brief): Proposal;
}

/** Each call is an effect of its own, recorded before the planner goes on. */
export type Progress = { readonly done: true; readonly reply: Reply } | { readonly done: false; readonly call: Call };

/**
 * Runs a planner over the outcomes recorded so far, up to its next call or its reply. A question that the brief has no
 * answer to is its reply; the others are answered from the brief.
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
  return said === undefined ? undefined : { ok: true, value: said.answer };
}

function ask({ question, answer }: Question): Reply {
  return {
    ok: true,
    fragment: { needs_clarification: { question, ...defined({ answer }) } },
  };
}
