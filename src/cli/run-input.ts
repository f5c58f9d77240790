// Reads a run's input from the command line: `key=value`, `@file.json` or a JSON object; later words override earlier ones.
import { readFileSync } from 'node:fs';
import { fileReason } from '../base/file-reason.ts';
import { isJsonObject, type Json, type JsonObject, ownProperty } from '../base/json.ts';
import { decodeText } from '../template/parse/decode-text.ts';
import { whyNoJson } from '../template/parse/json-fault.ts';
import type { Flag } from './command.ts';
import { UsageError } from './usage-error.ts';

export const inputFlag: Flag = {
  name: '--input <value>',
  description: "The run's input: key=value, @file.json, or a JSON object; later values win.",
  repeats: true,
};

export const budgetFlag: Flag = {
  name: '--budget <key=value>',
  description: "Tighten a limit of the template's budget.",
  repeats: true,
};

/** `schema` tells which keys are texts, so that `zip=01234` stays a text. @throws UsageError */
export function readInput(words: readonly string[], schema: JsonObject | undefined): JsonObject {
  return Object.assign({}, ...words.map((word) => readWord(word, schema)));
}

function readWord(word: string, schema: JsonObject | undefined): JsonObject {
  if (word.startsWith('@')) return readObject(readText(word.slice(1), '--input @'), `--input ${word}`);
  if (word.trimStart().startsWith('{')) return readObject(word, '--input');
  const equals = word.indexOf('=');
  if (equals <= 0) throw new UsageError(`--input takes key=value, @file.json or a JSON object, not "${word}"`);
  const key = word.slice(0, equals);
  return { [key]: readValue(word.slice(equals + 1), isText(schema, key)) };
}

/** Reads the text of a file, or of standard input for `-`. @throws UsageError that begins with `flag` */
export function readText(path: string, flag: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path === '-' ? 0 : path);
  } catch (error) {
    throw new UsageError(`${flag}${path} cannot be read: ${fileReason(error)}`);
  }
  const decoded = decodeText(bytes, path);
  if (decoded.ok) return decoded.value;
  const [fault] = decoded.error;
  throw new UsageError(`${flag}${path} cannot be read: ${fault?.message ?? 'it is no text'}`);
}

/** Takes a JSON object, or the name of a file with one, optionally after an `@`. @throws UsageError that begins with `flag` */
export function readObjectOrFile(word: string, flag: string): JsonObject {
  if (/^\s*[{[]/.test(word)) return readObject(word, flag);
  return readObject(readText(word.replace(/^@/, ''), `${flag} `), `${flag} ${word}`);
}

function readObject(text: string, where: string): JsonObject {
  const value = jsonOf(text, where);
  if (!isJsonObject(value)) throw new UsageError(`${where} is not a JSON object`);
  return value;
}

/** @throws UsageError that begins with `where` */
export function jsonOf(text: string, where: string): Json {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as Json;
  } catch {
    throw new UsageError(`${where} is not JSON: ${whyNoJson(text)}`);
  }
}

function isText(schema: JsonObject | undefined, key: string): boolean {
  return ownProperty(ownProperty(ownProperty(schema, 'properties'), key), 'type') === 'string';
}

/** Parses JSON if possible; otherwise returns the text itself. */
function readValue(text: string, asText: boolean): Json {
  if (asText) return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** Reads `max_total_steps=50` as `{ max_total_steps: '50' }`. @throws UsageError */
export function readBudget(words: readonly string[], flag = '--budget'): Readonly<Record<string, string>> {
  return Object.fromEntries(
    words.map((word) => {
      const equals = word.indexOf('=');
      if (equals <= 0) throw new UsageError(`${flag} takes key=value, such as max_total_steps=50, not "${word}"`);
      return [word.slice(0, equals), word.slice(equals + 1)] as const;
    }),
  );
}
