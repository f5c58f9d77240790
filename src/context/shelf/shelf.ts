// A shelf: results that share one room, each with its own part of the room.
import type { Json } from '../../base/json.ts';
import { memoize } from '../memoize.ts';
import { allot, type SizedPart } from '../shrink/allot.ts';
import type { View } from '../shrink/view.ts';
import type { ResultSource } from '../source.ts';
import type { CountTokens } from '../tokens.ts';
import { type WeighedValue, weigh } from '../weight.ts';
import { type Choice, leftOut, wholeChoice } from './choice.ts';

interface Shelf {
  /** The room that shows every result whole. */
  readonly most: number;
  /** Choices in the order of the sources. */
  show(room: number): readonly Choice[];
}

/** A source and its view. */
export interface SourceView {
  readonly source: ResultSource;
  readonly view: View;
}

interface ShelfItem extends SizedPart {
  /** The index of the source. */
  readonly place: number;
  readonly distance: number;
  choose(room: number | undefined): Choice;
}

/** Lets in the nearest results first, and among them the smallest outlines, so that a result that cannot be cut displaces no other. */
export function shelfOf(books: readonly SourceView[], countTokens: CountTokens): Shelf {
  const partOf = memoize((value: Json) => weigh(value, countTokens));
  const shelved = books.map((book, place) => shelve(book, place, partOf));
  const inOrder = shelved.toSorted((a, b) => a.distance - b.distance || a.view.least - b.view.least);
  return {
    most: shelved.reduce((sum, { frame, view }) => sum + frame + view.most, 0),
    show(room) {
      const rooms: (number | undefined)[] = [];
      allot(inOrder, room).forEach((share, at) => {
        rooms[inOrder[at]?.place ?? 0] = share;
      });
      return shelved.map(({ choose }, place) => choose(rooms[place]));
    },
  };
}

function shelve({ source, view }: SourceView, place: number, partOf: (value: Json) => WeighedValue): ShelfItem {
  const nothing = leftOut(source);
  const whole = wholeChoice(source);
  return {
    place,
    distance: source.distance,
    view,
    frame: source.frame.bytes,
    weight: 1,
    choose(room) {
      if (room === undefined) return nothing;
      const value = view.show(room);
      if (value === source.whole.value) return whole;
      const part = partOf(value);
      return { source, part, shown: part.bytes <= view.least ? 'outlined' : 'shrunk' };
    },
  };
}
