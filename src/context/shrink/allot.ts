// Divides room among parts: outlines first, then parts that must be kept, then all others by water-filling.
import type { View } from './view.ts';

export interface SizedPart {
  readonly view: View;
  /** Bytes around the view, such as a name and a comma. */
  readonly frame: number;
  /** Above 0. */
  readonly weight: number;
}

/** A part and the room it has so far. */
interface Share {
  readonly part: SizedPart;
  /** Undefined until the part is let in. */
  room?: number;
}

/**
 * The room of each part's view, undefined for a part that gets none. Parts are let in by their order in the list.
 * More room never gives a part less: each stage is complete before the next begins.
 */
export function allot(parts: readonly SizedPart[], room: number): readonly (number | undefined)[] {
  const shares = parts.map((part): Share => ({ part }));
  const keepers = shares.filter(mustKeep);
  let left = letIn(keepers, room);
  if (left >= 0) left = fill(keepers, left, toKeep);
  if (left >= 0) left = letIn(keepers.length === 0 ? shares : shares.filter((share) => !mustKeep(share)), left);
  if (left >= 0) fill(shares, left, toShowAll);
  return shares.map((share) => share.room);
}

/** The room of each part's view when no part may be missing; `room` must hold all outlines. */
export function allotAll(parts: readonly SizedPart[], room: number): readonly number[] {
  const shares = parts.map((part) => ({ part, room: part.view.least }));
  let left = parts.reduce((sum, { frame, view }) => sum - frame - view.least, room);
  left = fill(shares.filter(mustKeep), left, toKeep);
  if (left >= 0) fill(shares, left, toShowAll);
  return shares.map((share) => share.room);
}

function mustKeep({ part: { view } }: Share): boolean {
  return view.kept > 0;
}

function toKeep({ least, kept }: View): number {
  return Math.max(least, kept);
}

function toShowAll({ most }: View): number {
  return most;
}

/** Gives each part its outline, up to the first that does not fit. Returns the room left, negative when one did not fit. */
function letIn(shares: readonly Share[], room: number): number {
  let left = room;
  for (const share of shares) {
    const { frame, view } = share.part;
    left -= frame + view.least;
    if (left < 0) break;
    share.room = view.least;
  }
  return left;
}

/** Raises each part towards its goal. Returns the room left, negative when a part missed its goal. */
function fill(shares: readonly Share[], room: number, goal: (view: View) => number): number {
  const short = shares.filter(({ part, room: has = 0 }) => goal(part.view) > has);
  if (short.length === 0) return room;
  const wants = short.map(({ part, room: has = 0 }) => ({ want: goal(part.view) - has, weight: part.weight }));
  const given = pour(room, wants);
  short.forEach((share, at) => {
    share.room = (share.room ?? 0) + (given[at] ?? 0);
  });
  return wants.reduce((left, { want }) => left - want, room);
}

export interface RoomDemand {
  readonly want: number;
  /** Above 0. */
  readonly weight: number;
}

/** Keeps rounding errors of a division from pushing a sum of shares above the room. */
const SLACK = 1e-6;

/** Water-filling in whole bytes: all vessels rise together by weight, and a full vessel leaves its share to the others. */
export function pour(room: number, vessels: readonly RoomDemand[]): readonly number[] {
  const level = levelIn(room, vessels);
  return vessels.map(({ want, weight }) =>
    level * weight >= want ? want : Math.max(0, Math.floor(level * weight - SLACK)),
  );
}

/** The water level; infinite when there is room for all. */
function levelIn(room: number, vessels: readonly RoomDemand[]): number {
  if (vessels.reduce((sum, { want }) => sum + want, 0) <= room) return Number.POSITIVE_INFINITY;
  let left = room;
  let weight = vessels.reduce((sum, each) => sum + each.weight, 0);
  for (const vessel of vessels.toSorted((a, b) => a.want / a.weight - b.want / b.weight)) {
    if ((vessel.want / vessel.weight) * weight > left) return left / weight;
    left -= vessel.want;
    weight -= vessel.weight;
  }
  return Number.POSITIVE_INFINITY;
}
