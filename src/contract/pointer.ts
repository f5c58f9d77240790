// Follows Ajv's pointers: `/items/0/name` into a value, `#/properties/a/anyOf` into a schema.
import type { PathPart } from '../base/issue.ts';
import { isJsonArray, type Json, ownProperty } from '../base/json.ts';

function plain(raw: string): string {
  return raw.replaceAll('~1', '/').replaceAll('~0', '~');
}

export interface LocatedValue {
  /** Indexes are numbers, names are strings. */
  readonly path: readonly PathPart[];
  readonly value: Json | undefined;
}

/** The value at an `instancePath`. */
export function locate(value: Json, pointer: string): LocatedValue {
  const path: PathPart[] = [];
  let here: Json | undefined = value;
  for (const name of pointer.split('/').slice(1).map(plain)) {
    path.push(isJsonArray(here) ? Number(name) : name);
    here = isJsonArray(here) ? here[Number(name)] : ownProperty(here, name);
  }
  return { path, value: here };
}

/** The keyword value at a `schemaPath`. */
export function keywordAt(schemaPath: string, root: Json): Json | undefined {
  return locate(root, schemaPath.split('/').map(decodeURIComponent).join('/')).value;
}
