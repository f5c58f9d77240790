// The sections of a packet in a given room: each has a share, and what one does not use passes on to the others.
import { failureLines, phaseLines, type Sections } from '../body.ts';
import type { Choice } from '../choice.ts';
import { isPartial } from '../choice.ts';
import { indexLines } from '../index-lines.ts';
import { once } from '../once.ts';
import { receiptLine } from '../receipt.ts';
import type { PacketRequest } from '../request.ts';
import { pour } from '../shrink/allot.ts';
import { linesView } from '../shrink/lines.ts';
import { fixed } from '../shrink/view.ts';
import { plainView } from '../shrink.ts';
import type { Source } from '../source.ts';
import type { Roomy } from './roomiest.ts';
import { shelfOf } from './shelf.ts';

/** Shares of the room: failures, phases and why they were, results of the nearest phase, older results, the index. */
const SHARES = { failures: 4, phases: 2, near: 6, older: 2, index: 1 };
/** The receipt grows as results shrink; it gets one byte in so many, beside the shares. */
export const RECEIPT_PART = 8;

export function sectionsIn(request: PacketRequest, sources: readonly Source[]): Roomy<Sections> {
  const failures = linesView(failureLines(request).map(plainView));
  const phases = linesView(phaseLines(request).map(plainView));
  const index = linesView(indexLines(request, sources).map((line) => fixed(line)));
  const near = shelfOf(
    sources.filter((source) => source.near),
    request.countTokens,
  );
  const older = shelfOf(
    sources.filter((source) => !source.near),
    request.countTokens,
  );
  const receiptView = once((choice: Choice) => fixed(receiptLine(choice)));
  const vessels = [
    { want: failures.most, weight: SHARES.failures },
    { want: phases.most, weight: SHARES.phases },
    { want: near.most, weight: SHARES.near },
    { want: older.most, weight: SHARES.older },
    { want: index.most, weight: SHARES.index },
  ];
  return {
    most: vessels.reduce((sum, { want }) => sum + want, 0),
    show(room) {
      const [failureRoom = 0, phaseRoom = 0, nearRoom = 0, olderRoom = 0, indexRoom = 0] = pour(room, vessels);
      const choices = [...near.show(nearRoom), ...older.show(olderRoom)];
      return {
        choices,
        failures: failures.show(failureRoom),
        phases: phases.show(phaseRoom),
        index: index.show(indexRoom),
        receipt: linesView(choices.filter(isPartial).map(receiptView)).show(room / RECEIPT_PART),
      };
    },
  };
}
