// Divides room among parts: outlines first, what must be kept before the rest, then as water fills vessels.
import type { View } from './view.ts';

export interface Part {
  readonly view: View;
  /** Bytes around the view: a name, a comma. */
  readonly frame: number;
  /** Above 0. */
  readonly weight: number;
}

/**
 * Room for each part's view, undefined for a part that gets none. Parts come in the order in which they are let in.
 * With more room no part gets less: each stage is complete before the next begins.
 */
export function allot(parts: readonly Part[], room: number): readonly (number | undefined)[] {
  const rooms = new Map<Part, number>();
  const keepers = parts.filter(({ view }) => view.kept > 0);
  const others = parts.filter(({ view }) => view.kept === 0);
  let left = letIn(keepers, room, rooms);
  if (left >= 0) left = fill(keepers, left, rooms, ({ least, kept }) => Math.max(least, kept));
  if (left >= 0) left = letIn(others, left, rooms);
  if (left >= 0) fill(parts, left, rooms, ({ most }) => most);
  return parts.map((part) => rooms.get(part));
}

/** Room for each part's view where none may be missing: `room` holds all outlines. */
export function allotAll(parts: readonly Part[], room: number): readonly number[] {
  const rooms = new Map(parts.map((part) => [part, part.view.least]));
  const keepers = parts.filter(({ view }) => view.kept > 0);
  let left = parts.reduce((sum, { frame, view }) => sum - frame - view.least, room);
  left = fill(keepers, left, rooms, ({ least, kept }) => Math.max(least, kept));
  if (left >= 0) fill(parts, left, rooms, ({ most }) => most);
  return parts.map((part) => rooms.get(part) ?? part.view.least);
}

/** Gives each its outline, in order, up to the first that finds no room; what is left, negative when one did not fit. */
function letIn(parts: readonly Part[], room: number, rooms: Map<Part, number>): number {
  let left = room;
  for (const part of parts) {
    left -= part.frame + part.view.least;
    if (left < 0) break;
    rooms.set(part, part.view.least);
  }
  return left;
}

/** Raises each towards its goal; what is left when all have reached it, negative when they have not. */
function fill(parts: readonly Part[], room: number, rooms: Map<Part, number>, goal: (view: View) => number): number {
  const wants = parts.map((part) => ({ want: goal(part.view) - (rooms.get(part) ?? 0), weight: part.weight }));
  pour(room, wants).forEach((share, at) => {
    const part = parts[at];
    if (part !== undefined) rooms.set(part, (rooms.get(part) ?? 0) + share);
  });
  return wants.reduce((left, { want }) => left - want, room);
}

export interface Vessel {
  readonly want: number;
  /** Above 0. */
  readonly weight: number;
}

/** Guards a sum of shares against the last digit of a division. */
const SLACK = 1e-6;

/** Water-filling: all rise together by weight, those that are full leave the rest to the others. Whole bytes. */
export function pour(room: number, vessels: readonly Vessel[]): readonly number[] {
  const rising = vessels.map((vessel) => vessel.want / vessel.weight).sort((a, b) => a - b);
  let level = rising.at(-1) ?? 0;
  let left = room;
  let weight = vessels.reduce((sum, each) => sum + each.weight, 0);
  const inOrder = vessels.toSorted((a, b) => a.want / a.weight - b.want / b.weight);
  for (const vessel of inOrder) {
    if ((vessel.want / vessel.weight) * weight > left) {
      level = left / weight;
      break;
    }
    left -= vessel.want;
    weight -= vessel.weight;
  }
  return vessels.map(({ want, weight: share }) =>
    level * share >= want ? want : Math.max(0, Math.floor(level * share - SLACK)),
  );
}
