// The sections of a packet in a given room: each has a share, and what one does not use passes on to the others.
import { type Choice, failureLines, phaseLines, receiptLines, type Sections, wholeChoice } from '../body.ts';
import { indexLines } from '../index-lines.ts';
import type { PacketRequest } from '../request.ts';
import { allot, type Part, pour } from '../shrink/allot.ts';
import { linesView } from '../shrink/lines.ts';
import { fieldFrame, fixed, sizeOf, type View } from '../shrink/view.ts';
import { plainView } from '../shrink.ts';
import type { Source } from '../source.ts';
import { tieredView } from './tier.ts';

/** Shares of the room: failures, phases and why they were, results of the nearest phase, older results, the index. */
const SHARES = { failures: 4, phases: 2, near: 6, older: 2, index: 1 };
/** The receipt grows as results shrink; it gets one byte in so many, beside the shares. */
const RECEIPT_PART = 8;

export interface Roomy {
  /** Room for everything that may be shown. */
  readonly most: number;
  /** With more room no result is shown less of. */
  show(room: number): Sections;
}

interface Shelved extends Part {
  readonly source: Source;
}

export function sectionsIn(request: PacketRequest, sources: readonly Source[]): Roomy {
  const failures = linesView(failureLines(request).map(plainView));
  const phases = linesView(phaseLines(request).map(plainView));
  const index = linesView(indexLines(request, sources).map((line) => fixed(line)));
  const shelved = sources.map((source): Shelved => {
    return { source, view: tieredView(source), frame: fieldFrame(source.record.id), weight: 1 };
  });
  const near = shelved.filter(({ source }) => source.near);
  const older = shelved.filter(({ source }) => !source.near);
  const vessels = [
    { want: failures.most, weight: SHARES.failures },
    { want: phases.most, weight: SHARES.phases },
    { want: wantOf(near), weight: SHARES.near },
    { want: wantOf(older), weight: SHARES.older },
    { want: index.most, weight: SHARES.index },
  ];
  return {
    most: vessels.reduce((sum, { want }) => sum + want, 0),
    show(room) {
      const [failureRoom = 0, phaseRoom = 0, nearRoom = 0, olderRoom = 0, indexRoom = 0] = pour(room, vessels);
      const choices = [...choicesIn(near, nearRoom), ...choicesIn(older, olderRoom)];
      return {
        choices,
        failures: failures.show(failureRoom),
        phases: phases.show(phaseRoom),
        index: index.show(indexRoom),
        receipt: linesView(receiptLines(choices).map((line) => fixed(line))).show(room / RECEIPT_PART),
      };
    },
  };
}

function wantOf(shelved: readonly Shelved[]): number {
  return shelved.reduce((sum, { frame, view }) => sum + frame + view.most, 0);
}

/** Outlines are let in before small results, so that one that cannot be cut keeps nothing else out. */
function choicesIn(shelved: readonly Shelved[], room: number): readonly Choice[] {
  const inOrder = shelved.toSorted((a, b) => a.view.least - b.view.least);
  const rooms = new Map(allot(inOrder, room).map((share, at) => [inOrder[at], share]));
  return shelved.map((each) => choiceIn(each, rooms.get(each)));
}

function choiceIn({ source, view }: Shelved, room: number | undefined): Choice {
  if (room === undefined) return { source, shown: 'left out' };
  const value = view.show(room);
  if (value === source.value) return wholeChoice(source);
  return { source, value, shown: sameSize(view, value) ? 'outlined' : 'shrunk' };
}

function sameSize({ least }: View, value: Choice['value']): boolean {
  return value !== undefined && sizeOf(value) <= least;
}
