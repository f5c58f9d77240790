// Fills a value's references and expressions in; a value without any is returned as it is.
import { type Issue, issue } from '../base/issue.ts';
import { isJsonObject, type Json } from '../base/json.ts';
import { bad, good, type Result } from '../base/result.ts';
import { isLisp, parseText, type Reference, type ReferenceRoot, referenceText } from './references.ts';
import type { Expression } from './step-spec.ts';

export type Lookup = (root: ReferenceRoot, path: readonly string[]) => Json | undefined;
export type Evaluate = (expression: Expression) => Result<Json>;

const plainObjects = new WeakMap<object, boolean>();

/**
 * A scalar that is one placeholder keeps the type of what it refers to; inside text, strings stand as they are and
 * everything else as JSON. A reference that leads nowhere is `REFERENCE_UNRESOLVED`; expressions bring their own issues.
 */
export function interpolate(value: Json, lookup: Lookup, evaluate: Evaluate): Result<Json> {
  if (isPlain(value)) return good(value);
  const issues: Issue[] = [];
  const filled = fill(value, lookup, evaluate, issues);
  return issues.length === 0 ? good(filled) : bad(issues);
}

/** Whether nothing in the value is looked up or computed; remembered for maps and lists. */
export function isPlain(value: Json): boolean {
  if (typeof value === 'string') return !value.includes('{{');
  if (typeof value !== 'object' || value === null) return true;
  const known = plainObjects.get(value);
  if (known !== undefined) return known;
  const plain = !isLisp(value) && Object.values(value).every(isPlain);
  plainObjects.set(value, plain);
  return plain;
}

function fill(value: Json, lookup: Lookup, evaluate: Evaluate, issues: Issue[]): Json {
  if (isPlain(value)) return value;
  if (typeof value === 'string') return fillText(value, lookup, issues);
  if (isLisp(value)) {
    const answer = evaluate(value);
    if (answer.ok) return answer.value;
    issues.push(...answer.issues);
    return null;
  }
  if (Array.isArray(value)) return value.map((each: Json) => fill(each, lookup, evaluate, issues));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, fill(each, lookup, evaluate, issues)] as const);
  return Object.fromEntries(entries);
}

function fillText(text: string, lookup: Lookup, issues: Issue[]): Json {
  const { parts, issues: malformed } = parseText(text);
  issues.push(...malformed);
  const [only, ...others] = parts;
  if (others.length === 0 && only !== undefined) return typeof only === 'string' ? only : find(only, lookup, issues);
  return parts.map((part) => (typeof part === 'string' ? part : printed(find(part, lookup, issues)))).join('');
}

function find(reference: Reference, lookup: Lookup, issues: Issue[]): Json {
  const found = lookup(reference.root, reference.path);
  if (found !== undefined) return found;
  issues.push(issue('REFERENCE_UNRESOLVED', `there is nothing at ${referenceText(reference)}`));
  return null;
}

function printed(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
