// Reads a value from the command line: `key=value` pairs, a file, JSON, or plain words if the contract takes text.
import type { Json, JsonObject } from '../../base/json.ts';
import { openKinds, propertiesOf, type Schema, schemaOf } from '../../contract/schema.ts';
import { isTextAlone, readTextValue } from '../../goals/ask/read-text.ts';
import { jsonOf, readText } from '../run-input.ts';
import { UsageError } from '../usage-error.ts';

/** `words` are the values of a repeatable flag; `key=value` pairs are merged. @throws UsageError */
export function readAnswer(words: readonly string[], flag: string, schema: Schema = {}): Json {
  if (openKinds(schema, schema).has('map') && words.every((word) => keyOf(word) !== undefined)) {
    return Object.assign({}, ...words.map((word) => readPair(word, schema)));
  }
  const [word, ...others] = words;
  if (word === undefined || others.length > 0) {
    throw new UsageError(`${flag} takes one value, or key=value as often as there are keys`);
  }
  if (word.startsWith('@')) return readFile(word.slice(1), flag, schema);
  const value = readTextValue(word, schema);
  if (value === undefined) throw new UsageError(`${flag} begins as JSON but is none: ${word}`);
  return value;
}

const PAIR = /^([A-Za-z_][\w.-]*)=/;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function keyOf(word: string): string | undefined {
  return PAIR.exec(word)?.[1];
}

function readPair(word: string, schema: Schema): JsonObject {
  const key = keyOf(word) ?? '';
  const said = word.slice(key.length + 1);
  return { [key]: readTextValue(said, schemaOf(propertiesOf(schema)[key])) ?? said };
}

function readFile(path: string, flag: string, schema: Schema): Json {
  const text = readText(path, `${flag} @`);
  if (isTextAlone(schema) && !isJson(text)) return text.trimEnd();
  return jsonOf(text, `${flag} @${path}`);
}
