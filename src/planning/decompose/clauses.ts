// Cuts a sentence into its clauses, at as many joints as there are between orders.
import { askingIn } from './asking.ts';
import { isInTime, JOINT, withoutLead } from './connectors.ts';
import { isBare, isOrder, isOrderWithin, orderIn } from './order.ts';

/** What joins a clause to the one before: an order of time, nothing but the text's own order, or "but". */
type Link = 'then' | 'and' | 'but';

export interface Clause {
  /** Masked, without the connector before it. */
  readonly text: string;
  readonly joint: Link;
}

/** A stretch of the sentence between two joints, or several of them. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly joint: Link;
  readonly order: boolean;
  readonly bare: boolean;
}

/** Each begins with an order, the first excepted. */
export function clausesOf(sentence: string): readonly Clause[] {
  const clauses: Piece[] = [];
  for (const piece of piecesOf(sentence)) {
    const last = clauses.at(-1);
    if (last === undefined || cuts(last, piece, sentence)) clauses.push(piece);
    else if (last.from === last.to) clauses[clauses.length - 1] = { ...piece, joint: last.joint };
    else clauses[clauses.length - 1] = { ...last, to: piece.to, bare: last.bare && piece.bare };
  }
  return clauses
    .map(({ from, to, joint }) => ({ text: sentence.slice(from, to), joint }))
    .filter(({ text }) => text !== '');
}

function piecesOf(sentence: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  let opened: Link = 'and';
  const close = (end: number): void => {
    const written = sentence.slice(from, end).trimEnd();
    const { text, sequence, but } = withoutLead(written.trimStart());
    const to = from + written.length;
    const joint = sequence ? 'then' : but ? 'but' : opened;
    pieces.push({ from: to - text.length, to, joint, order: isOrder(text), bare: isBare(text) });
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

/** Whether what follows a joint is an order of its own. A verb alone shares what it is done to with the next one. */
function cuts(before: Piece, { from, to, joint, order }: Piece, sentence: string): boolean {
  if (from === to) return false;
  const text = sentence.slice(from, to);
  if (asks(text)) return true;
  if (joint === 'then') return order || before.order;
  return !before.bare && before.order && isOrderWithin(text);
}

/** Whether it orders to ask a person. */
export function asks(text: string): boolean {
  return askingIn(orderIn(text)) !== undefined;
}
