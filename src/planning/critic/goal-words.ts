// The goal of a frame as the critic reads it: as it was written, without references, and as orders.
import { blocksOf } from '../decompose/blocks.ts';
import { clausesOf } from '../decompose/clauses.ts';
import { sentencesOf } from '../decompose/connectors.ts';
import { mask, unmask } from '../decompose/mask.ts';
import type { Frame } from '../frame.ts';
import { type Order, orderOf } from '../match/order.ts';

export function goalText({ goal = '' }: Pick<Frame, 'goal'>): string {
  return goal.replace(/\{\{.*?\}\}/gs, ' ').trim();
}

/** One order for each clause; none where the goal is missing or refers to everything that it says. */
export function ordersOf(frame: Pick<Frame, 'goal'>): readonly Order[] {
  const { text, spans } = mask(goalText(frame));
  return blocksOf(text)
    .flatMap((block) => sentencesOf(block.text))
    .flatMap((sentence) => clausesOf(sentence.text))
    .map((clause) => orderOf(unmask(clause.text, spans)))
    .filter((order) => order.text !== '');
}
