// Finds sensitive values in a contract: parts marked `x-sensitive`, at, above or below a path.
import type { PathPart } from '../base/issue.ts';
import { annotationsOf } from './annotations.ts';
import { schemaAt } from './path.ts';
import { conjuncts, type Schema } from './schema.ts';

const spoken = new WeakMap<Schema, boolean>();

/** True when any part of the schema is sensitive. */
export function holdsSensitive(schema: Schema): boolean {
  const known = spoken.get(schema);
  if (known !== undefined) return known;
  const found = JSON.stringify(schema).includes('"x-sensitive":true');
  spoken.set(schema, found);
  return found;
}

/** True when the value at the path is sensitive, or contains sensitive parts. */
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
