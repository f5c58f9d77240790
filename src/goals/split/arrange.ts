// Puts the clauses of a goal in the order in which they are to be done: questions before what they are about, reading before work.
import type { Kind } from './task.ts';

/** A clause on its way to becoming a task. */
export interface Placed {
  readonly kind: Kind;
  /** `then`: the goal says that it comes later; `but`: it is about the one before. */
  readonly joint: 'then' | 'and' | 'but';
  /** Which item of which list without an order it stands in. */
  readonly item?: { readonly list: number; readonly index: number };
  /** It only takes in what others may need: "read the specification at …". */
  readonly reads: boolean;
  /** It speaks of what came before: "it", "the results". */
  readonly refersBack: boolean;
  readonly paths: readonly string[];
  readonly outputs: readonly string[];
}

export interface Arranged<Item> {
  readonly item: Item;
  /** Indices in the new order. */
  readonly after: readonly number[];
}

interface Arrangement<Item> {
  readonly tasks: readonly Arranged<Item>[];
  /** Those that stand further ahead than in the text. */
  readonly moved: readonly Item[];
}

export function arrange<Item extends Placed>(items: readonly Item[]): Arrangement<Item> {
  const sorted = readingFirst(questionsFirst(items));
  const places = new Map(sorted.map((item, index) => [item, index]));
  const moved = items.filter((item, index) => (places.get(item) ?? index) < index);
  return { tasks: chained(sorted), moved };
}

/** "…, but ask me" is asked before what it was said of. */
function questionsFirst<Item extends Placed>(items: readonly Item[]): readonly Item[] {
  const sorted: Item[] = [];
  for (const item of items) {
    const isBefore = item.kind === 'clarification' && item.joint === 'but' && sorted.at(-1)?.kind !== 'clarification';
    const last = isBefore ? sorted.pop() : undefined;
    sorted.push(item, ...(last === undefined ? [] : [last]));
  }
  return sorted;
}

/** Within what the goal gives no order of time, reading goes first, unless something there writes what is read. */
function readingFirst<Item extends Placed>(items: readonly Item[]): readonly Item[] {
  return runsOf(items).flatMap((run) => {
    const written = new Set(run.flatMap(({ outputs }) => outputs));
    const goesFirst = ({ reads, refersBack, paths }: Item): boolean =>
      reads && !refersBack && !paths.some((path) => written.has(path));
    return [...run.filter(goesFirst), ...run.filter((item) => !goesFirst(item))];
  });
}

function runsOf<Item extends Placed>(items: readonly Item[]): readonly (readonly Item[])[] {
  const runs: Item[][] = [];
  for (const item of items) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const isFree = item.item === undefined && item.joint === 'and' && item.kind !== 'clarification';
    if (isFree && last?.item === undefined && last?.kind !== 'clarification' && run !== undefined) run.push(item);
    else runs.push([item]);
  }
  return runs;
}

/** Each waits for the one before it; items of a list without an order wait for what came before the list. */
function chained<Item extends Placed>(items: readonly Item[]): readonly Arranged<Item>[] {
  let beforeList: readonly number[] = [];
  let open: number[] = [];
  return items.map((item, index) => {
    const last = items[index - 1];
    const isFirst = item.item?.index !== last?.item?.index || item.item?.list !== last?.item?.list;
    const waitsForAll = isFirst && (item.kind === 'clarification' || item.joint === 'then' || item.refersBack);
    if (item.item === undefined || waitsForAll) {
      const after = open;
      open = [index];
      beforeList = open;
      return { item, after };
    }
    if (item.item.list !== last?.item?.list) {
      beforeList = open;
      open = [index];
      return { item, after: beforeList };
    }
    if (!isFirst) {
      open[open.length - 1] = index;
      return { item, after: [index - 1] };
    }
    // What came before the list may be its only item so far, a question.
    open = open === beforeList ? [index] : [...open, index];
    return { item, after: beforeList };
  });
}
