// A view: a value that can be shown in more or less room; more room never shows less.
import type { Json } from '../../base/json.ts';
import { bytesOf } from '../tokens.ts';

/** All sizes are bytes of JSON in UTF-8. `least` ≤ `most`, and `most` is at most the size of the value. */
export interface View {
  /** The room of the outline, which tells kind and size only. */
  readonly least: number;
  /** The room that shows all kept fields whole; 0 without kept fields. */
  readonly kept: number;
  /** The room of the whole value. */
  readonly most: number;
  /** Shows at most `room` bytes; below `least`, the outline. */
  show(room: number): Json;
}

export function sizeOf(value: Json): number {
  return bytesOf(JSON.stringify(value));
}

/** The bytes of a field beside its value: name, colon, comma. */
export function fieldFrame(name: string): number {
  return sizeOf(name) + 2;
}

/** A view that shows the value whole or not at all. */
export function fixed(value: Json, bytes: number = sizeOf(value), keep = false): View {
  return { least: bytes, kept: keep ? bytes : 0, most: bytes, show: () => value };
}

/** Raises the least room of a view to `bytes`, but not above its whole size. */
export function noLessThan(view: View, bytes: number): View {
  return { ...view, least: Math.min(view.most, Math.max(view.least, bytes)) };
}

export interface StretchOptions {
  readonly value: Json;
  /** The size of the whole value. */
  readonly bytes: number;
  readonly outline: Json;
  readonly kept: number;
  /** Shows the value in room between the outline and the whole. */
  readonly between: (room: number) => Json;
}

/** A view from outline to whole value; fixed when the outline is not shorter. */
export function stretch({ value, bytes, outline, kept, between }: StretchOptions): View {
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
