// Reads the JSON value of a model's answer, also out of text around it and with faults that can be mended.
import { isJsonArray, isJsonObject, type Json, ownProperty } from '../base/json.ts';
import { beginsLikeJson, type JsonSlice, jsonSlices } from './json-slices.ts';
import { mendJson } from './mend-json.ts';
import { readJson, readWithTrailingCommas } from './read-json.ts';
import { withoutReasoning } from './without-reasoning.ts';

export interface ValueReading {
  readonly value: Json;
  /** Whether the value is one that the caller takes. */
  readonly fits: boolean;
  readonly place: 'whole' | 'fence' | 'prose';
  readonly mended?: 'commas' | 'faults';
  /** Earlier values of the answer that the caller would take too. */
  readonly others: number;
}

export interface ValueWish {
  /** Whether the caller takes a value; absent: any. */
  readonly fits?: (value: Json) => boolean;
  /** A value without its last closing brackets is closed. Never for plans: a step would be missing. */
  readonly mayClose?: boolean;
}

/** Values from the end that are tried at most. */
const MOST_TRIED = 50;
/** Values with faults that are mended at most. */
const MOST_MENDED = 3;

/**
 * The last value that the caller takes. When the caller takes none, the whole text if it is JSON, else the last value without
 * faults. Undefined when there is no value. Never throws.
 */
export function readValue(
  answer: string,
  { fits = () => true, mayClose = false }: ValueWish = {},
): ValueReading | undefined {
  const text = withoutReasoning(answer).trim();
  const whole = readJson(text);
  if (whole !== undefined && fits(whole)) return { value: whole, fits: true, place: 'whole', others: 0 };
  const readings = valuesFromEnd(text, mayClose);
  let first: ValueReading | undefined;
  let taken: ValueReading | undefined;
  let others = 0;
  for (const reading of readings) {
    if (!fits(reading.value)) first ??= reading.mended === 'faults' ? undefined : { ...reading, fits: false };
    else if (taken === undefined) taken = reading;
    else others += 1;
  }
  if (taken !== undefined) return { ...taken, others };
  const unfit: ValueReading | undefined =
    whole === undefined ? first : { value: whole, fits: false, place: 'whole', others: 0 };
  const inner = unfit === undefined ? undefined : unwrapped(unfit.value, fits);
  return unfit === undefined || inner === undefined ? unfit : { ...unfit, value: inner, fits: true };
}

/** Envelopes in envelopes that are opened at most. */
const MOST_ENVELOPES = 3;
const ENVELOPE = /^(?:final_?)?(?:answer|result|response|output|data|value|json)$/i;

/** The value that fits in a list with one item, in an object such as `{"answer": …}`, or in a text of JSON. */
function unwrapped(value: Json, fits: (value: Json) => boolean): Json | undefined {
  let inner = contentOf(value);
  for (let opened = 1; inner !== undefined && opened <= MOST_ENVELOPES; opened++) {
    if (fits(inner)) return inner;
    inner = contentOf(inner);
  }
  return undefined;
}

function contentOf(value: Json): Json | undefined {
  if (typeof value === 'string') return readJson(value);
  if (isJsonArray(value)) return value.length === 1 ? value[0] : undefined;
  const [key, another] = isJsonObject(value) ? Object.keys(value) : [];
  return key !== undefined && another === undefined && ENVELOPE.test(key) ? ownProperty(value, key) : undefined;
}

function* valuesFromEnd(text: string, mayClose: boolean): Generator<ValueReading> {
  const slices = jsonSlices(text).slice(-MOST_TRIED).reverse();
  let mended = 0;
  for (const slice of slices) {
    const body = text.slice(slice.from, slice.to);
    const place = placeOf(slice, text);
    const exact = slice.isClosed ? readJson(body) : undefined;
    if (exact !== undefined) yield reading(exact, place);
    else {
      const commas = slice.isClosed ? readWithTrailingCommas(body) : undefined;
      if (commas !== undefined) yield { ...reading(commas, place), mended: 'commas' };
      else if (mended < MOST_MENDED && isWorthMending(slice, text, mayClose)) {
        mended += 1;
        const value = mendJson(slice.isClosed ? body : withoutFence(body));
        if (typeof value === 'object' && value !== null) yield { ...reading(value, place), mended: 'faults' };
      }
    }
  }
  const fence = slices.length === 0 ? lastFence(text) : undefined;
  if (fence !== undefined) yield reading(fence, 'fence');
}

function reading(value: Json, place: ValueReading['place']): ValueReading {
  return { value, fits: true, place, others: 0 };
}

const FENCE_BEFORE = /```[a-zA-Z]*[ \t]*\r?\n\s{0,100}$/;

function placeOf({ from, to }: JsonSlice, text: string): ValueReading['place'] {
  if (from === 0 && to === text.length) return 'whole';
  return FENCE_BEFORE.test(text.slice(Math.max(0, from - 150), from)) ? 'fence' : 'prose';
}

/** A bracket in prose, such as `[see above]`, is no value with faults. */
function isWorthMending({ from, to, isClosed }: JsonSlice, text: string, mayClose: boolean): boolean {
  if (!isClosed) return mayClose && /["}\]\del]$/.test(withoutFence(text.slice(from, to)));
  return (
    beginsLikeJson(text, from) ||
    /^(?:\{\s*(?:['“”‘’„]|[A-Za-z_]\w*\s*:|\/[/*])|\[\s*(?:['“”‘’„]|\/[/*]))/.test(text.slice(from, from + 300))
  );
}

function withoutFence(text: string): string {
  return text
    .trimEnd()
    .replace(/`{1,3}$/, '')
    .trimEnd();
}

const FENCE = /```[a-zA-Z]*[ \t]*\r?\n([^`]*)```/g;

/** A number, a text or a boolean in a fence. */
function lastFence(text: string): Json | undefined {
  return readJson([...text.matchAll(FENCE)].at(-1)?.[1] ?? '');
}
