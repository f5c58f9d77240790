// Finds the places of values and keys in a YAML document.
import { type Document, isAlias, isMap, isScalar, isSeq, type Node } from 'yaml';
import type { PathPart } from '../../base/issue.ts';
import type { Place } from '../../base/place.ts';
import type { Locate } from './line-positions.ts';

/** The place of the value at a path, or of its key; for a missing part, the place of the nearest part above. */
export function rangeOf(
  document: Document.Parsed,
  path: readonly PathPart[],
  part: 'key' | 'value',
  locate: Locate,
): Place {
  let at: Node | null = document.contents;
  let key: Node | null = null;
  let whole = true;
  for (const step of path) {
    const holder: Node | null | undefined = isAlias(at) ? at.resolve(document) : at;
    if (isSeq(holder) && typeof step === 'number' && step < holder.items.length) {
      at = asNode(holder.items[step]);
      key = null;
    } else if (isMap(holder)) {
      const pair = holder.items.find((each) => isScalar(each.key) && String(each.key.value ?? '') === step);
      if (pair === undefined) {
        whole = false;
        break;
      }
      key = asNode(pair.key);
      at = asNode(pair.value) ?? key;
    } else {
      whole = false;
      break;
    }
  }
  // A missing key is shown at the key of its map, because the map may be long.
  const shown = key !== null && (part === 'key' || (!whole && isMap(at))) ? key : at;
  const [from, to] = shown?.range ?? [0, 0];
  return locate(from, to);
}

export function asNode(value: unknown): Node | null {
  return isScalar(value) || isMap(value) || isSeq(value) || isAlias(value) ? value : null;
}
