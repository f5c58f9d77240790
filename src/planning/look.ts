// Reads the answer with which a planner asks to see more before it plans: `{"look": [{"result": "sniff#1", "path": "columns"}]}`.
import { defined, isJsonArray, isJsonObject, type Json, ownProperty } from '../base/json.ts';

export type Look =
  | { readonly kind: 'result'; readonly ref: string; readonly path?: string }
  /** A name, a pattern such as `csv.*`, a server, or words that describe capabilities. */
  | { readonly kind: 'capability'; readonly wanted: string };

const ANSWER_KEYS: ReadonlySet<string> = new Set(['look', 'rationale', 'reason', 'why']);
const RESULT_KEYS = ['result', 'ref', 'step'];
const CAPABILITY_KEYS = ['capability', 'capabilities'];
const ITEM_KEYS: ReadonlySet<string> = new Set([...RESULT_KEYS, ...CAPABILITY_KEYS, 'path', 'why']);

/** Undefined for any other answer, such as a map of phases of which one is called "look". */
export function looksIn(answer: Json): readonly Look[] | undefined {
  if (!isJsonObject(answer) || !Object.keys(answer).every((key) => ANSWER_KEYS.has(key))) return undefined;
  const { look } = answer;
  if (look === undefined) return undefined;
  const items = isJsonArray(look) ? look : [look];
  const looks = items.flatMap((item) => lookOf(item) ?? []);
  return looks.length > 0 && looks.length === items.length ? looks : undefined;
}

function lookOf(item: Json): Look | undefined {
  if (typeof item === 'string') return item.trim() === '' ? undefined : { kind: 'capability', wanted: item };
  if (!isJsonObject(item) || !Object.keys(item).every((key) => ITEM_KEYS.has(key))) return undefined;
  const wanted = textAt(item, CAPABILITY_KEYS);
  if (wanted !== undefined) return { kind: 'capability', wanted };
  const ref = textAt(item, RESULT_KEYS);
  const path = textAt(item, ['path']);
  return ref === undefined ? undefined : { kind: 'result', ref, ...defined({ path }) };
}

function textAt(item: Json, keys: readonly string[]): string | undefined {
  return keys.flatMap((key) => {
    const text = ownProperty(item, key);
    return typeof text === 'string' && text.trim() !== '' ? [text] : [];
  })[0];
}
