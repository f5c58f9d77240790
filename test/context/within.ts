// A partial order on shown values: tells whether one shows no more than another.
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../src/base/json.ts';

/** True when `large` shows everything that `small` shows, whole or at more length. */
export function within(small: Json | undefined, large: Json | undefined): boolean {
  if (small === undefined) return true;
  if (large === undefined) return false;
  if (JSON.stringify(small) === JSON.stringify(large)) return true;
  if (typeof small === 'string') return textWithin(small, large);
  if (isJsonArray(small)) {
    return isJsonArray(large) && small.length === large.length && small.every((item, at) => within(item, large[at]));
  }
  return isJsonObject(small) && mapWithin(small, large);
}

function textWithin(small: string, large: Json): boolean {
  if (/^\$text\(\d+\)$/.test(small)) return typeof large === 'string';
  if (/^\$(list|map)$/.test(small)) return true;
  const [beginning = '', end, ...others] = small.split(/ \[\$cut: \d+ characters\] ?/);
  if (end === undefined || others.length > 0 || typeof large !== 'string') return false;
  return large.startsWith(beginning) && large.trimEnd().endsWith(end);
}

function mapWithin(small: JsonObject, large: Json): boolean {
  if (isJsonArray(large)) return small.$count === large.length && sampleWithin(small.$sample, large);
  if (!isJsonObject(large)) return false;
  if (small.$keys === keysOf(large)) return within(small.$sample, large);
  return Object.entries(small).every(([name, inside]) => {
    if (name === '$more') return true;
    if (name === '$sample' && isJsonArray(inside)) return sampleWithin(inside, listed(large.$sample));
    if (name === '$names') return namesWithin(listed(inside), listed(large.$names));
    return Object.hasOwn(large, name) && within(inside, large[name]);
  });
}

/** Undefined for an outline or a table. */
function keysOf({ $keys, $more, ...fields }: JsonObject): number | undefined {
  return $keys === undefined ? Object.keys(fields).length + (typeof $more === 'number' ? $more : 0) : undefined;
}

function sampleWithin(sample: Json | undefined, items: readonly Json[]): boolean {
  return listed(sample).every((item) => items.some((each) => within(item, each)));
}

/** `small` is a prefix of `large`, and the counts of left out items add up. */
function namesWithin(small: readonly Json[], large: readonly Json[]): boolean {
  const names = small.filter((name) => !isJsonObject(name));
  return names.every((name, at) => name === large[at]);
}

function listed(value: Json | undefined): readonly Json[] {
  return isJsonArray(value) ? value : [];
}
