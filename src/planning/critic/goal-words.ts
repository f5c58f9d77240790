// The goal of a frame for the critic: its text without references, and its orders.

import { mask, unmask } from '../../goals/match/mask.ts';
import { type Order, orderOf } from '../../goals/match/read-order.ts';
import { blocksOf } from '../../goals/split/blocks.ts';
import { clausesOf } from '../../goals/split/clauses.ts';
import { sentencesOf } from '../../goals/split/connectors.ts';
import type { Frame } from '../frame.ts';

export function goalText({ goal = '' }: Pick<Frame, 'goal'>): string {
  return goal.replace(/\{\{.*?\}\}/gs, ' ').trim();
}

/** One order for each clause; empty when the goal is missing or holds only references. */
export function ordersOf(frame: Pick<Frame, 'goal'>): readonly Order[] {
  const { text, spans } = mask(goalText(frame));
  return blocksOf(text)
    .flatMap((block) => sentencesOf(block.text))
    .flatMap((sentence) => clausesOf(sentence.text))
    .map((clause) => orderOf(unmask(clause.text, spans)))
    .filter((order) => order.text !== '');
}
