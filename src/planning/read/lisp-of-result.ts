// Writes the Lisp that puts results together as the last call of a sequence says.
import { isJsonArray, isJsonObject, type Json } from '../../base/json.ts';
import { parseText, type Reference } from '../../template/references.ts';

/** `{ flights: "{{ results.a }}" }` → `{"flights" (get-in data/results ["a"])}`. */
export function lispOfResult(value: Json): string {
  if (typeof value === 'string') return lispOfText(value);
  if (isJsonArray(value)) return `[${value.map(lispOfResult).join(' ')}]`;
  if (!isJsonObject(value)) return value === null ? 'nil' : String(value);
  return `{${Object.entries(value)
    .map(([key, each]) => `${JSON.stringify(key)} ${lispOfResult(each)}`)
    .join(' ')}}`;
}

function lispOfText(text: string): string {
  const { parts, issues } = parseText(text);
  if (issues.length > 0) return JSON.stringify(text);
  const written = parts.map((part) => (typeof part === 'string' ? JSON.stringify(part) : lookUp(part)));
  const [only = '""', another] = written;
  return another === undefined ? only : `(str ${written.join(' ')})`;
}

function lookUp({ path }: Reference): string {
  return `(get-in data/results [${path.map((part) => (/^\d+$/.test(part) ? part : JSON.stringify(part))).join(' ')}])`;
}
