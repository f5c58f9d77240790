// The first place at which two values differ, in words.
import { isJsonArray, isJsonObject, type Json } from '../base/json.ts';

export interface Difference {
  /** `messages.1.content at character 120: asked "…", recorded "…"`. */
  readonly text: string;
  /** How much of them agrees before it: the larger, the nearer they are. */
  readonly agrees: number;
}

const AROUND = 30;

/** Of two values that are not the same. */
export function firstDifference(asked: Json, recorded: Json): Difference {
  return find(asked, recorded, [], 0) ?? { text: 'nothing', agrees: Number.POSITIVE_INFINITY };
}

function find(asked: Json, recorded: Json, path: readonly string[], before: number): Difference | undefined {
  if (isJsonArray(asked) && isJsonArray(recorded)) {
    const length = Math.max(asked.length, recorded.length);
    return first(
      Array.from({ length }, (_, at) => String(at)),
      (key) => [asked[Number(key)], recorded[Number(key)]],
    );
  }
  if (isJsonObject(asked) && isJsonObject(recorded)) {
    const keys = [...new Set([...Object.keys(asked), ...Object.keys(recorded)])].sort();
    return first(keys, (key) => [asked[key], recorded[key]]);
  }
  if (typeof asked === 'string' && typeof recorded === 'string') return inTexts(asked, recorded, path, before);
  if (asked === recorded) return undefined;
  return { text: `${where(path)}: asked ${shown(asked)}, recorded ${shown(recorded)}`, agrees: before };

  function first(
    keys: readonly string[],
    sides: (key: string) => readonly [Json | undefined, Json | undefined],
  ): Difference | undefined {
    let agrees = before;
    for (const key of keys) {
      const [left, right] = sides(key);
      const at = [...path, key];
      if (left === undefined || right === undefined) {
        const missing = left === undefined ? 'not asked, and recorded' : 'asked, and not recorded';
        return { text: `${where(at)}: ${missing} ${shown(left ?? right ?? null)}`, agrees };
      }
      const found = find(left, right, at, agrees);
      if (found !== undefined) return found;
      agrees += JSON.stringify(left).length;
    }
    return undefined;
  }
}

function inTexts(asked: string, recorded: string, path: readonly string[], before: number): Difference | undefined {
  if (asked === recorded) return undefined;
  let at = 0;
  while (asked[at] === recorded[at]) at++;
  const part = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - AROUND), at + AROUND));
  return {
    text: `${where(path)} at character ${at + 1}: asked ${part(asked)}, recorded ${part(recorded)}`,
    agrees: before + at,
  };
}

function where(path: readonly string[]): string {
  return path.length === 0 ? 'the request' : path.join('.');
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length <= 2 * AROUND ? text : `${text.slice(0, 2 * AROUND)}…`;
}
