// Removes secrets from texts and values, in every encoding that programs commonly use.
import { isJsonObject, type Json } from '../../base/json.ts';
import { type PatternSearch, patternSearch, type Span } from '../../base/pattern-search.ts';

export interface Redaction {
  text(text: string): string;
  /** Redacts keys and texts; returns the same value when it holds no secret. */
  value(value: Json): Json;
  /**
   * The length of the longest beginning of the text that can be redacted by itself: it ends in no secret, and before any
   * that the end of the text cuts off. At most `most`, unless no secret is known.
   */
  safeLength(text: string, most: number): number;
}

/** Shorter values occur everywhere; replacing them would garble other text. */
export const SHORTEST_SECRET = 4;

/** Stands in the place of a secret. */
export const REDACTED = '***';

/** The length of a secret with its line breaks, at most, in lengths of the secret. */
const MOST_BREAKS = 2;

/** Ignores secrets that are shorter than `SHORTEST_SECRET`. */
export function redactionOf(secrets: Iterable<string>): Redaction {
  const wanted = [...new Set(secrets)].filter(({ length }) => length >= SHORTEST_SECRET);
  const forms = [...new Set(wanted.flatMap(formsOf))].filter(({ length }) => length >= SHORTEST_SECRET);
  const find = patternSearch(forms);
  const spansIn = (written: string): readonly Span[] => {
    const joints = jointsOf(written);
    const cut = cutOff(written, forms);
    if (joints.length === 0 && cut.length === 0) return find(written);
    return merged([...find(written), ...acrossLines(written, joints, find), ...cut]);
  };
  const text = (written: string): string => {
    const found = spansIn(written);
    return found.length === 0 ? written : without(written, found);
  };
  if (wanted.length === 0) return { text: same, value: same, safeLength: ({ length }) => length };
  const cutAt = cutSearch(forms);
  return {
    text,
    value: (value) => mapTexts(value, text),
    safeLength(written, most) {
      const at = cutAt(written, most);
      // Long encoded bytes are held back whole, and are not searched for each piece.
      if (at === 0) return 0;
      return spansIn(written).find(([from, to]) => from < at && at < to)?.[0] ?? at;
    },
  };
}

/** Finds the beginning of a secret that the end of a text cuts off. Line breaks within a secret do not count. */
function cutSearch(forms: readonly string[]): Redaction['safeLength'] {
  const longest = Math.max(...forms.map(({ length }) => length));
  const byFirst = Map.groupBy(forms, (form) => form.charCodeAt(0));
  return (text, most) => {
    for (let at = Math.max(0, text.length - MOST_BREAKS * longest); at < most; at += 1) {
      const likely = byFirst.get(text.charCodeAt(at));
      if (likely === undefined) continue;
      const end = text.slice(at);
      const joined = end.replace(/\r?\n/g, '');
      // A secret may have line breaks of its own, and encoders add others.
      if (likely.some((form) => form.startsWith(joined) || form.startsWith(end))) return at;
    }
    return most;
  };
}

function same<T>(value: T): T {
  return value;
}

function without(text: string, found: readonly Span[]): string {
  const kept = found.map(([from], index) => text.slice(found[index - 1]?.[1] ?? 0, from));
  return [...kept, text.slice(found.at(-1)?.[1])].join(REDACTED);
}

/** Encoders break lines after at least 60 digits. */
const SHORTEST_LINE = 40;
const DIGITS = new Set(
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_'].map((each) => each.charCodeAt(0)),
);
const isDigit = Array.from({ length: 128 }, (_, code) => DIGITS.has(code));

/** The line breaks within encoded bytes, such as the output of `base64` and `xxd -p`. */
function jointsOf(text: string): readonly Span[] {
  const joints: Span[] = [];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    const from = text[at - 1] === '\r' ? at - 1 : at;
    if (isDigit[text.charCodeAt(at + 1)] === true && isEncoded(text, from)) joints.push([from, at + 1]);
  }
  return joints;
}

function isEncoded(text: string, end: number): boolean {
  if (end < SHORTEST_LINE) return false;
  for (let at = end - 1; at >= end - SHORTEST_LINE; at -= 1) if (isDigit[text.charCodeAt(at)] !== true) return false;
  return true;
}

/** Finds secrets across line breaks; the spans count the breaks. */
function acrossLines(text: string, joints: readonly Span[], find: PatternSearch): readonly Span[] {
  const whole = joints.map(([from], index) => text.slice(joints[index - 1]?.[1] ?? 0, from));
  const joined = [...whole, text.slice(joints.at(-1)?.[1])].join('');
  let removed = 0;
  let next = 0;
  const placed = (index: number): number => {
    for (let joint = joints[next]; joint !== undefined && joint[0] <= index + removed; joint = joints[next]) {
      removed += joint[1] - joint[0];
      next += 1;
    }
    return index + removed;
  };
  return find(joined).map(([from, to]): Span => [placed(from), placed(to - 1) + 1]);
}

/** `failureOf` ends a message this way when it cuts it. */
const CUT = /… \(cut: \d+ characters\)$/;

/** The beginning of a secret at the place where a long message was cut off. */
function cutOff(text: string, forms: readonly string[]): readonly Span[] {
  const end = CUT.exec(text.slice(-SHORTEST_LINE))?.index;
  if (end === undefined) return [];
  const at = end + Math.max(0, text.length - SHORTEST_LINE);
  return forms.flatMap((form): readonly Span[] => {
    const head = form.slice(0, SHORTEST_SECRET);
    for (
      let from = text.indexOf(head, Math.max(0, at - form.length));
      from >= 0 && from < at;
      from = text.indexOf(head, from + 1)
    ) {
      if (form.startsWith(text.slice(from, at))) return [[from, at]];
    }
    return [];
  });
}

function merged(found: readonly Span[]): readonly Span[] {
  const spans: [number, number][] = [];
  for (const [from, to] of found.toSorted((left, right) => left[0] - right[0])) {
    const last = spans.at(-1);
    if (last !== undefined && from < last[1]) last[1] = Math.max(last[1], to);
    else spans.push([from, to]);
  }
  return spans;
}

function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) {
    const changed = value.map((each: Json) => mapTexts(each, change));
    return changed.every((each, index) => each === value[index]) ? value : changed;
  }
  if (!isJsonObject(value)) return value;
  let isChanged = false;
  const entries = Object.entries(value).map(([key, each]) => {
    const entry = [change(key), mapTexts(each, change)] as const;
    isChanged ||= entry[0] !== key || entry[1] !== each;
    return entry;
  });
  return isChanged ? Object.fromEntries(entries) : value;
}

/** The texts that may stand for a secret, without duplicates: the secret itself, and its encodings. */
function formsOf(secret: string): readonly string[] {
  const escaped = inJsonText(secret);
  const bytes = [...new Set([secret, escaped])].map((text) => Buffer.from(text));
  const encoded = bytes.flatMap((each) => [...inHex(each), ...inBase64(each)]);
  return [...new Set([secret, escaped, ...inAddresses(secret), ...encoded])];
}

function inJsonText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The URL encodings of `encodeURIComponent`, `encodeURI`, RFC 3986 and HTML forms, with escapes in upper and in lower case. */
function inAddresses(secret: string): readonly string[] {
  const whole = secret.toWellFormed();
  const strict = encodeURIComponent(whole).replace(/[!'()*]/g, escaped);
  const forms = [encodeURIComponent(whole), encodeURI(whole), strict, strict.replaceAll('%20', '+')];
  return forms.flatMap((form) => [form, form.replace(/%../g, (each) => each.toLowerCase())]);
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function inHex(bytes: Buffer): readonly string[] {
  const digits = bytes.toString('hex');
  return [digits, digits.toUpperCase()];
}

/**
 * The base64 of the secret alone, and of its middle when other bytes surround it, for each of the three offsets at which
 * it can begin within a group of four digits. In both alphabets, and URL encoded.
 */
function inBase64(bytes: Buffer): readonly string[] {
  const whole = bytes.toString('base64');
  const within = [0, 1, 2].map((before) => {
    const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return digits.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  return [whole, whole.replaceAll('=', ''), ...within].flatMap((digits) => [
    digits,
    digits.replaceAll('+', '-').replaceAll('/', '_'),
    ...inAddresses(digits),
  ]);
}
