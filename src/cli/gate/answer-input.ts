// A value that is written on the command line: `key=value` of an object, a file, JSON, or plain words where the contract takes them.
import type { Json, JsonObject } from '../../base/json.ts';
import { openKinds, propertiesOf, type Schema, schemaOf, valuesOf } from '../../contract/schema.ts';
import { readPlain } from '../../planning/ask/plain-answer.ts';
import { readAnswer as readReply } from '../../planning/ask/read-answer.ts';
import { readText } from '../run-input.ts';
import { UsageError } from '../usage-error.ts';

/** `words` are what a repeatable flag was given; those of `key=value` are laid over each other. @throws UsageError */
export function readAnswer(words: readonly string[], flag: string, schema: Schema = {}): Json {
  if (openKinds(schema, schema).has('map') && words.every((word) => keyOf(word) !== undefined)) {
    return Object.assign({}, ...words.map((word) => readPair(word, schema)));
  }
  const [word, ...others] = words;
  if (word === undefined || others.length > 0) {
    throw new UsageError(`${flag} takes one value, or key=value as often as there are keys`);
  }
  if (word.startsWith('@')) return readFile(word.slice(1), flag, schema);
  const value = readSaid(word, schema);
  if (typeof value === 'string' && /^\s*[{[]/.test(word) && !isTextAlone(schema)) {
    throw new UsageError(`${flag} begins as JSON but is none: ${word}`);
  }
  return value;
}

function isTextAlone(schema: Schema): boolean {
  const kinds = openKinds(schema, schema);
  return kinds.has('string') && kinds.size === 1;
}

const PAIR = /^([A-Za-z_][\w.-]*)=/;

function keyOf(word: string): string | undefined {
  return PAIR.exec(word)?.[1];
}

function readPair(word: string, schema: Schema): JsonObject {
  const key = keyOf(word) ?? '';
  return { [key]: readSaid(word.slice(key.length + 1), schemaOf(propertiesOf(schema)[key])) };
}

/** As at a terminal, but where any text is taken: a choice by its number or its beginning, several with commas between. */
function readSaid(word: string, schema: Schema): Json {
  const isAnyText = valuesOf(schema) === undefined && openKinds(schema, schema).has('string');
  const reply = isAnyText ? undefined : readReply(word, schema);
  return reply?.ok === true ? reply.value : readPlain(word, schema);
}

function readFile(path: string, flag: string, schema: Schema): Json {
  const text = readText(path, `${flag} @`);
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (isTextAlone(schema)) return text.trimEnd();
    throw new UsageError(`${flag} @${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
