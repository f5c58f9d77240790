// Classifies the clauses of a goal: order, question, prohibition or statement.

import type { Block } from './blocks.ts';
import { asks, type Clause, clausesOf } from './clauses.ts';
import { sentencesOf } from './connectors.ts';
import { isOrder, orderIn } from './is-order.ts';
import type { Verbs } from './order-verbs.ts';
import { personQuestionIn, questionsIn } from './person-question.ts';

export interface Statement extends Clause {
  readonly isQuestion: boolean;
  /** The clause begins like an order. */
  readonly isOrder: boolean;
  /** The clause only forbids something. */
  readonly isForbidding: boolean;
  /** The clause is an order, a question, or words that may be an order; it is no plain statement. */
  readonly isTask: boolean;
  /** The item of an unordered list that holds the clause. */
  readonly item: { readonly list: number; readonly index: number } | undefined;
}

export function statementsOf(blocks: readonly Block[], verbs: Verbs): readonly Statement[] {
  return withQuestionsFirst(blocks.flatMap((block, index) => statementsIn(block, index, blocks, verbs)));
}

function statementsIn(
  { kind, text }: Block,
  index: number,
  blocks: readonly Block[],
  verbs: Verbs,
): readonly Statement[] {
  if (kind === 'heading') return [];
  const item = kind === 'bullet' ? { list: listOf(index, blocks), index } : undefined;
  return sentencesOf(text).flatMap((sentence, nth) =>
    clausesOf(sentence.text, verbs).flatMap((clause, at) => {
      const isFirst = nth === 0 && at === 0;
      const whole = clause.text.replace(/[\s,;:]+$/u, '');
      const questions = asks(whole) ? questionsIn(orderIn(whole, verbs)) : [whole];
      const doubts = questions === undefined ? ['and'] : clause.doubts;
      return (questions ?? [whole]).map((text): Statement => {
        const isForbidding = FORBIDS.test(text);
        const order = !isForbidding && !ASKS.test(text) && (isOrder(text, verbs) || asks(text)) && !isAbout(text);
        const isQuestion = sentence.question && !order;
        return {
          text,
          joint: kind === 'numbered' && isFirst ? 'then' : asksFirst(text) ? 'but' : clause.joint,
          doubts,
          isQuestion,
          isOrder: order,
          isForbidding,
          isTask: !isForbidding && (order || isQuestion || (kind !== 'prose' && isFirst) || !states(text)),
          item,
        };
      });
    }),
  );
}

const FORBIDS = /^(?:please )?(?:do not|don['’]?t|never|avoid|without) /iu;
const SUBJECT =
  /^(?:we|i|it|there|they|you|he|she|the|this|that|these|those|our|my|your|its|their|an?|all|each|every|no|nothing|in|on|at|with|as|by|from|note|here|\uE000)(?![\p{L}])/iu;
const PREDICATE =
  /(?<![\p{L}])(?:is|are|was|were|be|been|has|have|had|must|should|shall|will|would|can|could|may|might|needs?|means?|contains?|['’]s|['’]re)(?![\p{L}])/iu;
/** Relative clauses, which an order may contain. */
const RELATIVE = /(?<!\p{L})(?:that|which|who|whose|where|what|how|whether|if|when)(?!\p{L}).*$/iu;

/** Tells whether a sentence has a subject, so that it is no order. */
function states(text: string): boolean {
  return SUBJECT.test(text) || PREDICATE.test(text.replace(RELATIVE, ''));
}

/** Tells whether the apparent verb belongs to a subject, as in `Query performance is bad`. */
function isAbout(text: string): boolean {
  return /^\p{L}+ (?!(?:the|an?|this|these|those|all|my|our|your|its|their)(?!\p{L}))[\p{L} ]+? (?:is|are|was|were)(?!\p{L})/iu.test(
    orderIn(text).replace(RELATIVE, ''),
  );
}

/** Questions that begin like orders. */
const ASKS = /^(?:do|have) (?:i|we|you|they|the|these|those)(?![\p{L}])/iu;

/** The index of the first bullet of a list. */
function listOf(index: number, blocks: readonly Block[]): number {
  let first = index;
  while (first > 0 && blocks[first - 1]?.kind === 'bullet') first -= 1;
  return first;
}

/** Tells whether a question ends with "first", so that it goes before the order in front of it. */
function asksFirst(text: string): boolean {
  return asks(text) && /(?<!\p{L})first$/iu.test(text);
}

/**
 * Moves a question before the order in front of it when it says so ("but", "first"), when it follows such a question, or
 * when no later order could use the answer.
 */
function withQuestionsFirst(statements: readonly Statement[]): readonly Statement[] {
  const lastOrder = statements.findLastIndex(({ isTask, text }) => isTask && !asks(text));
  return statements.map((each, at) => {
    const before = statements[at - 1];
    if (each.joint !== 'and' || each.item !== undefined || before === undefined || !asks(each.text)) return each;
    const joins = asks(before.text) && before.joint === 'but';
    const isUnused = lastOrder < at && lastOrder >= 0 && wantsAnswer(each.text) && !REFERS_BACK.test(each.text);
    return joins || isUnused ? { ...each, joint: 'but' } : each;
  });
}

function wantsAnswer(text: string): boolean {
  return personQuestionIn(orderIn(text))?.wants === 'answer';
}

/** References to earlier results: "it", "the results". */
export const REFERS_BACK =
  /(?<![\p{L}])(?:it|its|them|they|their|these|those|this|(?:the|all) (?:results?|outputs?|findings|answers?|above|former|latter|same|rest))(?![\p{L}])/iu;
