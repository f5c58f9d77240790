// Removes fields that may never be shown: elided and sensitive ones.
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Schema } from '../../contract/schema.ts';
import { fieldGuide, type Guide, itemGuide } from './guide.ts';
import { sizeOf } from './view.ts';

/** Replaces an elided value. */
export const ELIDED = '$elided';

/** Returns `value` itself when nothing is elided. A field with a value shorter than the mark is dropped. */
export function withoutElided(value: Json, guide: Guide): Json {
  if (isJsonArray(value)) {
    const items = value.map((item, at) => withoutElided(item, itemGuide(guide, at, item)));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  return isJsonObject(value) ? withoutFields(value, guide) : value;
}

function withoutFields(value: JsonObject, guide: Guide): JsonObject {
  let changed = false;
  const fields = Object.entries(value).flatMap(([name, inside]) => {
    const below = fieldGuide(guide, name, inside);
    const hidden = below.hints.elide || below.hints.sensitive;
    const shown = hidden ? ELIDED : withoutElided(inside, below);
    changed ||= shown !== inside;
    return hidden && sizeOf(inside) < sizeOf(ELIDED) ? [] : [[name, shown] as const];
  });
  return changed ? Object.fromEntries(fields) : value;
}

const spoken = new WeakMap<Schema, boolean>();

/** Tells whether a contract hides any field; most do not, and then values need not be searched. */
export function speaksOfEliding(root: Schema): boolean {
  const known = spoken.get(root);
  if (known !== undefined) return known;
  const found = /"x-(elide|sensitive)":true/.test(JSON.stringify(root));
  spoken.set(root, found);
  return found;
}
