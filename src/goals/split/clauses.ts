// Cuts a sentence into clauses: at words of time, and at commas and "and" before an order.
import { blocksOf } from './blocks.ts';
import { isInTime, JOINT, sentencesOf, withoutLead } from './connectors.ts';
import { type ClauseOpening, headOf, isBare, isOrder, mayBeOrder, openingOf, orderIn } from './is-order.ts';
import { commonVerbs, type Verbs } from './order-verbs.ts';
import { personQuestionIn } from './person-question.ts';

/** The joint to the clause before: an order of time, plain text order, or "but". */
type Link = 'then' | 'and' | 'but';

export interface Clause {
  /** The masked text without the connector before it. */
  readonly text: string;
  readonly joint: Link;
  /** Words inside that may or may not begin another order. */
  readonly doubts: readonly string[];
}

/** A part of the sentence between two joints. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly joint: Link;
  readonly isOrder: boolean;
  readonly isBare: boolean;
  readonly doubts: readonly string[];
}

/** Cuts so that every clause except the first begins with an order. */
export function clausesOf(sentence: string, verbs: Verbs = commonVerbs): readonly Clause[] {
  const clauses: Piece[] = [];
  for (const piece of piecesOf(sentence, verbs)) {
    const last = clauses.at(-1);
    const opening = last === undefined ? 'order' : openingAt(last, piece, sentence, verbs);
    if (last === undefined || opening === 'order') clauses.push(piece);
    else if (last.from === last.to) clauses[clauses.length - 1] = { ...piece, joint: last.joint };
    else {
      const doubts = opening === 'perhaps' ? [`and ${headOf(sentence.slice(piece.from))}`] : [];
      const isBare = last.isBare && piece.isBare;
      clauses[clauses.length - 1] = { ...last, to: piece.to, isBare, doubts: [...last.doubts, ...doubts] };
    }
  }
  return clauses
    .map(({ from, to, joint, doubts }) => ({ text: sentence.slice(from, to), joint, doubts }))
    .filter(({ text }) => text !== '');
}

const CONDITION = /^(?:if|when|whenever|unless|once|after|before|while|as soon as)(?!\p{L})[^,]*,\s*(?:then )?/iu;

/** The condition before an order, with its comma; empty for an order without one. */
export function conditionOf(text: string): string {
  return CONDITION.exec(text)?.[0] ?? '';
}

/** All clauses of a masked goal, in its order. */
export function clausesOfGoal(text: string): readonly Clause[] {
  return blocksOf(text).flatMap((block) => sentencesOf(block.text).flatMap((sentence) => clausesOf(sentence.text)));
}

function piecesOf(sentence: string, verbs: Verbs): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  let opened: Link = 'and';
  const close = (end: number): void => {
    const written = sentence.slice(from, end).trimEnd();
    const { text, sequence, but } = withoutLead(written.trimStart());
    const to = from + written.length;
    const joint = sequence ? 'then' : but ? 'but' : opened;
    pieces.push({
      from: to - text.length,
      to,
      joint,
      isOrder: isOrder(text, verbs),
      isBare: isBare(text),
      doubts: [],
    });
  };
  for (const { 0: written, index } of sentence.matchAll(JOINT)) {
    close(index);
    opened = linkOf(written);
    from = index + written.length;
  }
  close(sentence.length);
  return pieces;
}

function linkOf(written: string): Link {
  if (isInTime(written)) return 'then';
  return /\bbut\b/i.test(written) ? 'but' : 'and';
}

/** Tells how a piece opens; after a bare verb, which shares its object with the next verb, nothing is cut. */
function openingAt(before: Piece, { from, to, joint, isOrder }: Piece, sentence: string, verbs: Verbs): ClauseOpening {
  if (from === to) return 'thing';
  const text = sentence.slice(from, to);
  if (asks(text)) return 'order';
  if (joint === 'then') return isOrder || mayBeOrder(text) ? 'order' : 'thing';
  return before.isBare || !before.isOrder ? 'thing' : openingOf(text, verbs);
}

/** Tells whether a clause orders to ask a person. */
export function asks(text: string): boolean {
  return personQuestionIn(orderIn(text)) !== undefined;
}
