// The sections of a packet in a given room: each has a share, and unused room passes to the other sections.
import { failureLines, phaseLines, retriedLines, type Sections } from '../body.ts';
import { indexLines } from '../index-lines.ts';
import { memoize } from '../memoize.ts';
import { type Needs, unshrunk } from '../needs/needs.ts';
import { olderLine, receiptLine } from '../receipt.ts';
import type { PacketRequest } from '../request.ts';
import { type Choice, isPartial, wholeChoice } from '../shelf/choice.ts';
import { type SourceView, shelfOf } from '../shelf/shelf.ts';
import { roomyView } from '../shelf/tier.ts';
import { pour } from '../shrink/allot.ts';
import { linesView } from '../shrink/lines.ts';
import { fixed, noLessThan, type View } from '../shrink/view.ts';
import { plainView } from '../shrink.ts';
import type { ResultSource } from '../source.ts';
import type { Resizable } from './largest-fit.ts';
import type { PacketResults } from './packet-results.ts';

/** Shares of the room: failures, retried attempts, phases with their rationale, results of the nearest phase, declared needs, older results, the index. */
const SHARES = { failures: 4, retried: 1, phases: 3, near: 6, declared: 6, older: 2, index: 1 };
/** The bytes that a phase needs for its rationale: older phases are left out before nearer ones get less. */
const PHASE_ROOM = 160;
/** The receipt grows as results shrink: it gets an eighth of the room on top, and at least a line or two. */
export function receiptRoom(room: number): number {
  return Math.max(room / 8, Math.min(room, 120));
}

export function sectionsIn(
  request: PacketRequest,
  needs: Needs,
  { all, near, older }: PacketResults,
): Resizable<Sections> {
  const shelf = (books: readonly SourceView[]) => shelfOf(books, request.countTokens);
  const failures = linesView(failureLines(request).map(plainView));
  const tries = retriedLines(request).map(plainView);
  const retried = linesView(tries);
  const phases = linesView(phaseLines(request).map((line) => noLessThan(plainView(line), PHASE_ROOM)));
  const index = linesView(indexLines(request, bytesOf(all)).map((line) => fixed(line)));
  const [nearShelf, olderShelf] = [shelf(near), shelf(older)];
  const declared = shelf(needs.declared.map((source) => ({ source, view: roomyView(source) })));
  const certain = unshrunk(needs);
  const receiptView = memoize((choice: Choice) => fixed(receiptLine(choice)));
  const vessels = [
    { want: failures.most, weight: SHARES.failures },
    { want: phases.most, weight: SHARES.phases },
    { want: nearShelf.most, weight: SHARES.near },
    { want: declared.most, weight: SHARES.declared },
    { want: olderShelf.most, weight: SHARES.older },
    { want: index.most, weight: SHARES.index },
    { want: tries.length === 0 ? 0 : retried.most, weight: SHARES.retried },
  ];
  return {
    most: vessels.reduce((sum, { want }) => sum + want, 0),
    show(room) {
      const [failureRoom = 0, phaseRoom = 0, nearRoom = 0, needRoom = 0, olderRoom = 0, indexRoom = 0, triesRoom = 0] =
        pour(room, vessels);
      const needed = [...certain, ...declared.show(needRoom)];
      const results = [...nearShelf.show(nearRoom), ...olderShelf.show(olderRoom)];
      const lines = receiptOf([...needed, ...results], receiptView);
      return {
        choices: [...results, ...needed],
        failures: failures.show(failureRoom),
        retried: tries.length === 0 ? [] : retried.show(triesRoom),
        phases: phases.show(phaseRoom),
        index: index.show(indexRoom),
        receipt: linesView(lines).show(receiptRoom(room)),
      };
    },
  };
}

function bytesOf(sources: readonly ResultSource[]): ReadonlyMap<string, number> {
  return new Map(sources.map(({ record, weight }) => [record.id, weight.bytes]));
}

/** A line for each need and each result of the nearest phase that is not shown whole, and one count of older results. */
function receiptOf(choices: readonly Choice[], lineOf: (choice: Choice) => View): readonly View[] {
  const partial = choices.filter(isPartial);
  const older = olderLine(partial);
  const lines = partial.filter(({ source }) => source.distance === 0).map(lineOf);
  return older === undefined ? lines : [...lines, fixed(older)];
}

/** All sections with every result shown whole. */
export function wholeSections(request: PacketRequest, needs: Needs, { all, near, older }: PacketResults): Sections {
  const results = [...near, ...older].map(({ source }) => source);
  const choices = [...results, ...needs.declared].map(wholeChoice);
  const shown = [...choices, ...unshrunk(needs)];
  return {
    choices: shown,
    failures: failureLines(request),
    retried: retriedLines(request),
    phases: phaseLines(request),
    index: indexLines(request, bytesOf(all)),
    receipt: receiptOf(shown, (choice) => fixed(receiptLine(choice))).map((view) => view.show(view.most)),
  };
}
