// The compared ways to shorten a result: by contract, cut off, and summarized generically.
import { isJsonArray, isJsonObject, type Json } from '../../src/base/json.ts';
import { largestFit } from '../../src/context/fitting/largest-fit.ts';
import { tieredView } from '../../src/context/shelf/tier.ts';
import { sourceOf } from '../../src/context/source.ts';
import { estimateTokens } from '../../src/context/tokens.ts';
import type { ResultSet } from './result-sets.ts';

/** The shortened text within a limit of tokens. */
export type Way = (set: ResultSet, maxTokens: number) => string;

const fits = (text: string, maxTokens: number): boolean => estimateTokens(text) <= maxTokens;

/** Shrinks by contract like a packet, with size tiers. */
export const byContract: Way = ({ name, value, contract }, maxTokens) => {
  const record = { id: name, name, attempt: 1, status: 'completed', result: value, schema: contract };
  const source = sourceOf(record, value, { name, section: 'results', distance: 0 }, estimateTokens);
  const view = tieredView(source);
  const text = (room: number) => JSON.stringify(view.show(room));
  const whole = text(view.most);
  return fits(whole, maxTokens)
    ? whole
    : largestFit({ most: view.most, show: text }, (shown) => fits(shown, maxTokens));
};

/** Cuts the JSON off. */
export const cutOff: Way = ({ value }, maxTokens) => {
  const text = JSON.stringify(value);
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fits(text.slice(0, middle), maxTokens)) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, low);
};

/** Shows keys, the first items and the length of each list, and the beginning of long texts, as far as they fit. */
export const summedUp: Way = ({ value }, maxTokens) => {
  const whole = JSON.stringify(value);
  if (fits(whole, maxTokens)) return whole;
  let best = JSON.stringify(outline(value, 0, 20));
  for (const characters of [40, 80, 160, 320, 640, 1_280]) {
    for (let items = 1; items <= 400; items += 1) {
      const text = JSON.stringify(outline(value, items, characters));
      if (!fits(text, maxTokens)) break;
      if (text.length > best.length) best = text;
    }
  }
  return best;
};

function outline(value: Json, items: number, characters: number): Json {
  if (typeof value === 'string') {
    return value.length <= characters ? value : `${value.slice(0, characters)}… (${value.length} characters)`;
  }
  const below = (each: Json) => outline(each, items, characters);
  if (isJsonArray(value)) {
    const first = value.slice(0, items).map(below);
    return value.length <= items ? first : [...first, { more: value.length - items, length: value.length }];
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value);
  // A map with very many keys is treated like a list.
  const shown = entries.length > 40 ? entries.slice(0, Math.max(1, items)) : entries;
  const rest = entries.length - shown.length;
  return Object.fromEntries([
    ...shown.map(([key, each]) => [key, below(each)] as const),
    ...(rest === 0 ? [] : [['…', { more: rest, length: entries.length }] as const]),
  ]);
}
