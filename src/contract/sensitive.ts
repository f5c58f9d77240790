// What of a contract's values is sensitive: marked `x-sensitive`, there or above it, or somewhere within.
import type { PathPart } from '../base/issue.ts';
import { annotationsOf } from './annotations.ts';
import { schemaAt } from './path.ts';
import { conjuncts, type Schema } from './schema.ts';

const spoken = new WeakMap<Schema, boolean>();

/** Whether any part of it is. */
export function holdsSensitive(schema: Schema): boolean {
  const known = spoken.get(schema);
  if (known !== undefined) return known;
  const found = JSON.stringify(schema).includes('"x-sensitive":true');
  spoken.set(schema, found);
  return found;
}

/** Whether what stands at the path is, or a part of it. */
export function isSensitiveAt(schema: Schema, path: readonly PathPart[]): boolean {
  if (!holdsSensitive(schema)) return false;
  for (let depth = 0; depth <= path.length; depth++) {
    const here = schemaAt(schema, path.slice(0, depth));
    if (typeof here === 'string') return false;
    if (annotationsOf(conjuncts(here, here)).sensitive) return true;
    if (depth === path.length) return holdsSensitive(here);
  }
  return false;
}
