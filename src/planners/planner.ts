// The planner port: who answers a brief with a fragment, asking for what it needs one thing at a time.
import type { Failure } from '../base/failure.ts';
import type { Json } from '../base/json.ts';
import type { Brief } from '../planning/brief.ts';

/** What a planner asks of the world. Each is an effect of its own, recorded before the planner goes on. */
type Need =
  | { readonly kind: 'capability'; readonly name: string; readonly input: Json }
  /** To a person: the planner goes on when they have answered. `answer` is a contract; absent: anything. */
  | { readonly kind: 'question'; readonly question: string; readonly answer?: Json };

export type NeedOutcome =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly failure: Failure };

/**
 * `fragment` is whatever the planner answered, unread: a fragment, `{"impossible": "reason"}`, or a question
 * `{"needs_clarification": {"question", "answer"?}}`, after which it is asked again with `clarifications` in its brief.
 */
export type Reply = { readonly ok: true; readonly fragment: Json } | { readonly ok: false; readonly failure: Failure };

/** Pure: the same brief and the same outcomes bring the same needs and the same reply, so it can be run again. */
type Proposal = Generator<Need, Reply, NeedOutcome>;

export interface Planner {
  propose(brief: Brief): Proposal;
}

type NeedOf<Kind extends Need['kind']> = Extract<Need, { readonly kind: Kind }>;

export type Progress =
  | { readonly done: true; readonly reply: Reply }
  | { readonly done: false; readonly need: NeedOf<'capability'> };

/**
 * Runs a planner over the outcomes recorded so far, up to its next need or its reply. A question that the brief has no
 * answer to is its reply; the others are answered from the brief.
 */
export function advance(planner: Planner, brief: Brief, recorded: readonly NeedOutcome[]): Progress {
  const proposal = planner.propose(brief);
  const left = [...recorded];
  let step = proposal.next();
  while (!step.done) {
    const need = step.value;
    const outcome = need.kind === 'question' ? answerTo(need, brief) : left.shift();
    if (outcome !== undefined) step = proposal.next(outcome);
    else return need.kind === 'question' ? { done: true, reply: ask(need) } : { done: false, need };
  }
  return { done: true, reply: step.value };
}

function answerTo({ question }: NeedOf<'question'>, { clarifications = [] }: Brief): NeedOutcome | undefined {
  const said = clarifications.find((each) => each.question === question);
  return said === undefined ? undefined : { ok: true, value: said.answer };
}

function ask({ question, answer }: NeedOf<'question'>): Reply {
  return {
    ok: true,
    fragment: { needs_clarification: { question, ...(answer === undefined ? {} : { answer }) } },
  };
}
