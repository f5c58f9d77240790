// Reads the limits on what runs at once: of a run, of a concurrency key, and of a capability.
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { readDuration } from '../../base/quantity.ts';
import { defined, mapAt, numberAt, textAt } from '../keys/readers.ts';
import type { RateLimit, Template } from '../template.ts';

const AT_ONCE = 10;

export function readConcurrency(raw: JsonObject): Template['concurrency'] {
  return {
    max: numberAt(raw, 'max') ?? AT_ONCE,
    keys: readLimits(mapAt(raw, 'keys') ?? {}),
    ...defined({ capabilities: limitsAt(raw, 'capabilities') }),
  };
}

function limitsAt(raw: JsonObject, key: string): Readonly<Record<string, RateLimit>> | undefined {
  const written = mapAt(raw, key);
  return written === undefined ? undefined : readLimits(written);
}

function readLimits(written: JsonObject): Readonly<Record<string, RateLimit>> {
  return Object.fromEntries(Object.entries(written).map(([name, limit]) => [name, readLimit(limit)]));
}

function readLimit(written: Json): RateLimit {
  if (!isJsonObject(written)) return {};
  return defined<RateLimit>({ max: numberAt(written, 'max'), rate: readRate(textAt(written, 'rate') ?? '') });
}

/** As the schema has it: `10/s`, `100 / 5m`. */
function readRate(text: string): RateLimit['rate'] {
  const [, count, time = ''] = /^(\d+)\s*\/\s*(\S+)$/.exec(text.trim()) ?? [];
  const per = readDuration(/^\d/.test(time) ? time : `1${time}`);
  return count === undefined || !per.ok ? undefined : { count: Number(count), per: per.value };
}
