// Prints JSON for people: a value that fits into the line stays on it.
import { isJsonObject, type Json } from '../base/json.ts';

const WIDTH = 110;

export function compactJson(value: Json, indent = ''): string {
  const flat = flatJson(value);
  if (indent.length + flat.length <= WIDTH) return flat;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return `[\n${value.map((each) => inner + compactJson(each, inner)).join(',\n')}\n${indent}]`;
  }
  if (!isJsonObject(value)) return flat;
  const fields = Object.entries(value).map(
    ([key, each]) => `${inner}${JSON.stringify(key)}: ${compactJson(each, inner)}`,
  );
  return `{\n${fields.join(',\n')}\n${indent}}`;
}

/** The value on one line, with a space after each colon and comma. */
function flatJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(flatJson).join(', ')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${flatJson(each)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}
