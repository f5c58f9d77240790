// Fills a value's references and expressions in; a value without any is returned as it is.
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
 * A scalar that is one placeholder keeps the type of what it refers to; inside text, strings stand as they are and
 * everything else as JSON. A reference that leads nowhere is `REFERENCE_UNRESOLVED`; expressions bring their own issues.
 * Referenced values may have `most` characters of JSON in all, counted at each reference, else `RESULT_TOO_LARGE`.
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

/** Whether nothing in the value is looked up or computed; remembered for large and nested values. */
export function isPlain(value: Json): boolean {
  if (typeof value === 'string') return !value.includes('{{');
  if (typeof value !== 'object' || value === null) return true;
  const parts = Object.values(value);
  // A few scalars are read faster than they are looked up.
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
  /** Characters of JSON that may still be put in. */
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

/** A value counts each time that it is put in: a plan can refer to a large one a thousand times. */
function admitted(value: Json, filling: Interpolation): Json {
  const { issues, most, left } = filling;
  if (most === Number.POSITIVE_INFINITY || left < 0) return left < 0 ? null : value;
  const length = jsonLength(value, left);
  filling.left = length === undefined ? -1 : left - length;
  if (length !== undefined) return value;
  const message = `what is referred to comes to more than ${most} characters of JSON; limits.result_bytes allows no more`;
  issues.push(issue('RESULT_TOO_LARGE', message, { hint: 'refer to a part of it' }));
  return null;
}

function printed(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
