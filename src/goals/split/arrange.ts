// Sorts the clauses of a goal into the order of execution: questions before their order, reading before work.
import type { TaskKind } from './task.ts';

/** A clause on its way to becoming a task. */
export interface PlacedClause {
  readonly kind: TaskKind;
  /** `then`: the goal puts it later. `but`: it is about the clause before. */
  readonly joint: 'then' | 'and' | 'but';
  /** The item of an unordered list that this clause belongs to. */
  readonly item?: { readonly list: number; readonly index: number };
  /** It only reads something that others may need: "read the specification at …". */
  readonly reads: boolean;
  /** It refers to earlier results: "it", "the results". */
  readonly refersBack: boolean;
  readonly paths: readonly string[];
  readonly outputs: readonly string[];
}

export interface ArrangedClause<Item> {
  readonly item: Item;
  /** Indices in the new order. */
  readonly after: readonly number[];
}

interface Arrangement<Item> {
  readonly tasks: readonly ArrangedClause<Item>[];
  /** Clauses that moved forward. */
  readonly moved: readonly Item[];
}

export function arrange<Item extends PlacedClause>(items: readonly Item[]): Arrangement<Item> {
  const sorted = readingFirst(questionsFirst(items));
  const places = new Map(sorted.map((item, index) => [item, index]));
  const moved = items.filter((item, index) => (places.get(item) ?? index) < index);
  return { tasks: chained(sorted), moved };
}

/** Moves "…, but ask me" before the clause it belongs to. */
function questionsFirst<Item extends PlacedClause>(items: readonly Item[]): readonly Item[] {
  const sorted: Item[] = [];
  for (const item of items) {
    const isBefore = item.kind === 'clarification' && item.joint === 'but' && sorted.at(-1)?.kind !== 'clarification';
    const last = isBefore ? sorted.pop() : undefined;
    sorted.push(item, ...(last === undefined ? [] : [last]));
  }
  return sorted;
}

/** Moves reading first within clauses without an order of time, unless another clause writes the file that is read. */
function readingFirst<Item extends PlacedClause>(items: readonly Item[]): readonly Item[] {
  return runsOf(items).flatMap((run) => {
    const written = new Set(run.flatMap(({ outputs }) => outputs));
    const goesFirst = ({ reads, refersBack, paths }: Item): boolean =>
      reads && !refersBack && !paths.some((path) => written.has(path));
    return [...run.filter(goesFirst), ...run.filter((item) => !goesFirst(item))];
  });
}

function runsOf<Item extends PlacedClause>(items: readonly Item[]): readonly (readonly Item[])[] {
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

/** Each clause waits for the one before; items of an unordered list wait for the clause before the list. */
function chained<Item extends PlacedClause>(items: readonly Item[]): readonly ArrangedClause<Item>[] {
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
    // The item before may be a question that stands for the whole list so far.
    open = open === beforeList ? [index] : [...open, index];
    return { item, after: beforeList };
  });
}
