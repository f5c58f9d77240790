// Arranges steps in columns by longest path and in rows by first dependency; many independent rows stand in banks.
import { GAP, PITCH, STEP } from './footprint.ts';

export interface RowPlan {
  /** The left edge in units, and the row. */
  readonly places: ReadonlyMap<string, { readonly x: number; readonly row: number }>;
  readonly rows: number;
  readonly width: number;
}

export type NeedsOf = (step: string) => readonly string[];

/** A step with more neighbors belongs to no row: it forks or joins many rows. */
const MOST_NEIGHBORS = 6;
/** Rows that are this many times higher than wide are put into banks side by side. */
const TOO_HIGH = 2.4;

export function planRows(ids: readonly string[], needsOf: NeedsOf): RowPlan {
  const order = inOrder(ids, needsOf);
  const plain = placed(order, needsOf);
  if (plain.rows * PITCH.y <= TOO_HIGH * plain.width) return plain;
  return banked(order, needsOf) ?? plain;
}

/** The steps, each behind its dependencies, and otherwise in the given order. */
export function inOrder(ids: readonly string[], needsOf: NeedsOf): readonly string[] {
  const inside = new Set(ids);
  const done = new Set<string>();
  const found: string[] = [];
  for (const id of ids) {
    const stack = [id];
    while (stack.length > 0) {
      const top = stack.at(-1) ?? id;
      if (done.has(top)) {
        stack.pop();
        continue;
      }
      const open = needsOf(top).filter((need) => inside.has(need) && !done.has(need) && !stack.includes(need));
      if (open.length > 0) stack.push(...open.toReversed());
      else {
        stack.pop();
        done.add(top);
        found.push(top);
      }
    }
  }
  return found;
}

function placed(order: readonly string[], needsOf: NeedsOf, from = 0): RowPlan {
  const places = new Map<string, { x: number; row: number }>();
  const taken = new Set<string>();
  let rows = 0;
  let width = 0;
  for (const id of order) {
    const needs = needsOf(id).flatMap((need) => places.get(need) ?? []);
    const [first] = needs;
    const x = first === undefined ? from : Math.max(...needs.map((need) => need.x)) + PITCH.x;
    let row = first?.row ?? rows;
    while (taken.has(`${row} ${x}`)) row += 1;
    taken.add(`${row} ${x}`);
    places.set(id, { x, row });
    rows = Math.max(rows, row + 1);
    width = Math.max(width, x + STEP.width);
  }
  return { places, rows, width };
}

/** Steps before all rows, independent groups of rows in banks, and steps behind all rows; undefined if all hangs together. */
function banked(order: readonly string[], needsOf: NeedsOf): RowPlan | undefined {
  const { head, body, tail } = cutAtHubs(order, needsOf);
  const groups = groupsOf(body, needsOf).map((group) => placed(group, needsOf));
  if (groups.length < 4) return undefined;
  const before = placed(head, needsOf);
  const wide = Math.max(...groups.map(({ width }) => width));
  const rows = groups.reduce((sum, group) => sum + group.rows, 0);
  const banks = Math.max(2, Math.round(Math.sqrt((rows * PITCH.y) / wide)));
  const most = Math.max(Math.ceil(rows / banks), ...groups.map((group) => group.rows));
  const places = new Map(before.places);
  let x = head.length === 0 ? 0 : before.width + 2 * GAP.x;
  let row = 0;
  for (const group of groups) {
    if (row + group.rows > most) {
      x += wide + 2 * GAP.x;
      row = 0;
    }
    for (const [id, place] of group.places) places.set(id, { x: x + place.x, row: row + place.row });
    row += group.rows;
  }
  const right = x + wide;
  const behind = placed(tail, needsOf, right + 2 * GAP.x);
  for (const [id, place] of behind.places) places.set(id, place);
  return {
    places,
    rows: Math.max(most, before.rows, behind.rows),
    width: tail.length === 0 ? right : behind.width,
  };
}

function cutAtHubs(order: readonly string[], needsOf: NeedsOf) {
  const inside = new Set(order);
  const uses = new Map<string, number>();
  const own = new Map(order.map((id) => [id, needsOf(id).filter((need) => inside.has(need))]));
  for (const needs of own.values()) for (const need of needs) uses.set(need, (uses.get(need) ?? 0) + 1);
  const [head, body, tail]: [string[], string[], string[]] = [[], [], []];
  const [isHead, isTail] = [new Set<string>(), new Set<string>()];
  for (const id of order) {
    const needs = own.get(id) ?? [];
    const isHub = needs.length > MOST_NEIGHBORS || (uses.get(id) ?? 0) > MOST_NEIGHBORS;
    if (needs.some((need) => isTail.has(need)) || (isHub && !needs.every((need) => isHead.has(need)))) {
      isTail.add(id);
      tail.push(id);
    } else if (isHub) {
      isHead.add(id);
      head.push(id);
    } else body.push(id);
  }
  return { head, body, tail };
}

/** Steps that depend on each other, directly or not; in the order of their first steps. */
function groupsOf(body: readonly string[], needsOf: NeedsOf): readonly (readonly string[])[] {
  const root = new Map(body.map((id) => [id, id]));
  const rootOf = (id: string): string => {
    let at = id;
    for (let next = root.get(at); next !== undefined && next !== at; next = root.get(at)) {
      root.set(at, root.get(next) ?? next);
      at = next;
    }
    return at;
  };
  for (const id of body) for (const need of needsOf(id)) if (root.has(need)) root.set(rootOf(id), rootOf(need));
  return [...Map.groupBy(body, rootOf).values()];
}
