// The goal of a frame as the critic reads it: as it was written, without references, and as orders.

import { mask, unmask } from '../../goals/match/mask.ts';
import { type Order, orderOf } from '../../goals/match/order.ts';
import { blocksOf } from '../../goals/split/blocks.ts';
import { clausesOf } from '../../goals/split/clauses.ts';
import { sentencesOf } from '../../goals/split/connectors.ts';
import type { Frame } from '../frame.ts';

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
