// Replaces the references and expressions in a value by their values.
import { type Issue, issue } from '../base/issue.ts';
import { isJsonObject, type Json } from '../base/json.ts';
import { jsonLength } from '../base/json-length.ts';
import { bad, good, type Result } from '../base/result.ts';
import type { Expression } from './references.ts';
import { isLisp, parseText, type Reference, type ReferenceRoot, referenceText } from './references.ts';

export type Lookup = (root: ReferenceRoot, path: readonly string[]) => Json | undefined;
export type Evaluate = (expression: Expression) => Result<Json>;

const plainObjects = new WeakMap<object, boolean>();

/**
 * A text that is one placeholder becomes the referenced value; within a longer text, values other than strings become
 * JSON. All inserted values together may have `most` characters of JSON. A value without references is returned itself.
 * Issues: REFERENCE_UNRESOLVED, RESULT_TOO_LARGE, and those of expressions.
 */
export function interpolate(
  value: Json,
  lookup: Lookup,
  evaluate: Evaluate,
  most: number = Number.POSITIVE_INFINITY,
): Result<Json> {
  if (isPlain(value)) return good(value);
  const issues: Issue[] = [];
  const filled = fill(value, { lookup, evaluate, issues, most, left: most });
  return issues.length === 0 ? good(filled) : bad(issues);
}

/** Tells whether a value has no references and no expressions; cached for large and nested values. */
export function isPlain(value: Json): boolean {
  if (typeof value === 'string') return !value.includes('{{');
  if (typeof value !== 'object' || value === null) return true;
  const parts = Object.values(value);
  // Checking a few scalars is faster than a look-up in the cache.
  if (parts.length <= 8 && parts.every(isScalar)) return !isLisp(value) && parts.every(isPlain);
  const known = plainObjects.get(value);
  if (known !== undefined) return known;
  const plain = !isLisp(value) && parts.every(isPlain);
  plainObjects.set(value, plain);
  return plain;
}

function isScalar(value: Json): boolean {
  return typeof value !== 'object' || value === null;
}

interface Interpolation {
  readonly lookup: Lookup;
  readonly evaluate: Evaluate;
  readonly issues: Issue[];
  readonly most: number;
  /** Characters of JSON that may still be inserted. */
  left: number;
}

function fill(value: Json, filling: Interpolation): Json {
  if (isPlain(value)) return value;
  if (typeof value === 'string') return fillText(value, filling);
  if (isLisp(value)) {
    const answer = filling.evaluate(value);
    if (answer.ok) return admitted(answer.value, filling);
    filling.issues.push(...answer.error);
    return null;
  }
  if (Array.isArray(value)) return value.map((each: Json) => fill(each, filling));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each, filling)]));
}

function fillText(text: string, filling: Interpolation): Json {
  const { parts, issues: malformed } = parseText(text);
  filling.issues.push(...malformed);
  const [only, ...others] = parts;
  if (others.length === 0 && only !== undefined) return typeof only === 'string' ? only : find(only, filling);
  return parts.map((part) => (typeof part === 'string' ? part : printed(find(part, filling)))).join('');
}

function find(reference: Reference, filling: Interpolation): Json {
  const found = filling.lookup(reference.root, reference.path);
  if (found !== undefined) return admitted(found, filling);
  filling.issues.push(issue('REFERENCE_UNRESOLVED', `there is nothing at ${referenceText(reference)}`));
  return null;
}

/** Counts a value each time it is inserted, because a plan can refer to a large value a thousand times. */
function admitted(value: Json, filling: Interpolation): Json {
  const { issues, most, left } = filling;
  if (most === Number.POSITIVE_INFINITY || left < 0) return left < 0 ? null : value;
  const length = jsonLength(value, left);
  filling.left = length === undefined ? -1 : left - length;
  if (length !== undefined) return value;
  const message = `the referenced values have more than ${most} characters of JSON; limits.result_bytes allows no more`;
  issues.push(issue('RESULT_TOO_LARGE', message, { hint: 'refer to a part of the value' }));
  return null;
}

function printed(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
