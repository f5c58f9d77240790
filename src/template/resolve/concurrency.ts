// How much runs at once: over all, and of the steps that share a key.
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { readDuration } from '../../base/quantity.ts';
import { defined, mapAt, numberAt, textAt } from '../keys/readers.ts';
import type { KeyLimit, Template } from '../template.ts';

const AT_ONCE = 10;

export function readConcurrency(raw: JsonObject): Template['concurrency'] {
  const keys = Object.entries(mapAt(raw, 'keys') ?? {}).map(([key, limit]) => [key, readLimit(limit)] as const);
  return { max: numberAt(raw, 'max') ?? AT_ONCE, keys: Object.fromEntries(keys) };
}

function readLimit(written: Json): KeyLimit {
  if (!isJsonObject(written)) return {};
  return defined<KeyLimit>({ max: numberAt(written, 'max'), rate: readRate(textAt(written, 'rate') ?? '') });
}

/** As the schema has it: `10/s`, `100 / 5m`. */
function readRate(text: string): KeyLimit['rate'] {
  const [, count, time = ''] = /^(\d+)\s*\/\s*(\S+)$/.exec(text.trim()) ?? [];
  const per = readDuration(/^\d/.test(time) ? time : `1${time}`);
  return count === undefined || !per.ok ? undefined : { count: Number(count), per: per.value };
}
