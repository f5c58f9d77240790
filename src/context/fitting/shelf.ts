// A shelf: results that share one room, each shown in its part of it, weighed once for each way in which it is shown.
import type { Json } from '../../base/json.ts';
import { type Choice, wholeChoice } from '../choice.ts';
import { once } from '../once.ts';
import { allot, type Part } from '../shrink/allot.ts';
import type { Source } from '../source.ts';
import type { CountTokens } from '../tokens.ts';
import { weigh } from '../weigh.ts';
import { tieredView } from './tier.ts';

interface Shelf {
  /** Room for all of it. */
  readonly most: number;
  /** In the order of the sources. */
  show(room: number): readonly Choice[];
}

interface Shelved extends Part {
  /** Among the sources. */
  readonly place: number;
  choose(room: number | undefined): Choice;
}

/** Outlines are let in before small results, so that one that cannot be cut keeps nothing else out. */
export function shelfOf(sources: readonly Source[], countTokens: CountTokens): Shelf {
  const shelved = sources.map((source, place) => shelve(source, place, countTokens));
  const inOrder = shelved.toSorted((a, b) => a.view.least - b.view.least);
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

function shelve(source: Source, place: number, countTokens: CountTokens): Shelved {
  const { whole, frame } = source;
  const view = tieredView(source);
  const leftOut: Choice = { source, shown: 'left out' };
  const choiceOf = once((value: Json): Choice => {
    if (value === whole.value) return wholeChoice(source);
    const part = weigh(value, countTokens);
    return { source, part, shown: part.bytes <= view.least ? 'outlined' : 'shrunk' };
  });
  return {
    place,
    view,
    frame: frame.bytes,
    weight: 1,
    choose: (room) => (room === undefined ? leftOut : choiceOf(view.show(room))),
  };
}
