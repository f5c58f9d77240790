// A view: a value that can be shown in more or less room, and never shows less when it is given more.
import type { Json } from '../../base/json.ts';
import { bytesOf } from '../tokens.ts';

/** All sizes are bytes of JSON in UTF-8; `least` ≤ `most`, and `most` is no larger than the value itself. */
export interface View {
  /** Room for the outline: what it is and how much of it there is. */
  readonly least: number;
  /** Room in which all that must be kept is whole; 0 when nothing in it must be. */
  readonly kept: number;
  /** Room for the whole value. */
  readonly most: number;
  /** In at most `room` bytes, or the outline where that is less than `least`. */
  show(room: number): Json;
}

export function sizeOf(value: Json): number {
  return bytesOf(JSON.stringify(value));
}

/** Bytes that a field takes beside its value: the name, a colon, a comma. */
export function fieldFrame(name: string): number {
  return sizeOf(name) + 2;
}

/** Whole or not at all. */
export function fixed(value: Json, bytes: number = sizeOf(value), keep = false): View {
  return { least: bytes, kept: keep ? bytes : 0, most: bytes, show: () => value };
}

/** Not shown at all in less room than that, or than it needs to be whole. */
export function noLessThan(view: View, bytes: number): View {
  return { ...view, least: Math.min(view.most, Math.max(view.least, bytes)) };
}

export interface Stretch {
  readonly value: Json;
  /** Of the whole value. */
  readonly bytes: number;
  readonly outline: Json;
  readonly kept: number;
  /** Between the outline and the whole. */
  readonly between: (room: number) => Json;
}

/** A value that ranges from its outline to its whole; just whole where the outline would be no shorter. */
export function stretch({ value, bytes, outline, kept, between }: Stretch): View {
  const least = sizeOf(outline);
  if (least >= bytes) return fixed(value, bytes, kept > 0);
  return {
    least,
    kept: Math.min(kept, bytes),
    most: bytes,
    show(room) {
      if (room >= bytes) return value;
      return room <= least ? outline : between(room);
    },
  };
}
