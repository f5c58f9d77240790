// Mends JSON that a model wrote with faults: single quotes, missing commas, comments, Python's constants.
import { jsonrepair } from 'jsonrepair';
import type { Json } from '../base/json.ts';
import { readJson } from './read-json.ts';

/** Characters of a value that is mended at most, because mending takes longer than the text grows. */
const MOST_CHARACTERS = 30_000;
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/gs;
const LEFT_OUT = /\.\.\.|…/;

/** Undefined when the text cannot be mended, or leaves something out by three dots, which mending would drop. */
export function mendJson(text: string): Json | undefined {
  if (text.length > MOST_CHARACTERS || LEFT_OUT.test(text.replace(STRING, '""'))) return undefined;
  try {
    return readJson(jsonrepair(text));
  } catch {
    return undefined;
  }
}
