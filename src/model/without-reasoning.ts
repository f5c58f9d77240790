// Removes the reasoning that a model writes into its answer: tagged blocks, fenced blocks and channels.

import { scanJson } from './json-slices.ts';
import { readJson } from './read-json.ts';

export const TAG = '(?:[a-z]{1,20}:)?think|thinking|thought|thoughts|reasoning|reflection|scratchpad';

/** Texts without these words hold no reasoning. */
export const REASONING_WORDS = /think|thought|reasoning|reflection|scratchpad|channel|assistantfinal/i;

/**
 * The marks around reasoning. Beside tags: Magistral (`[THINK]`), OpenThinker (`<|begin_of_thought|>`), Command A
 * (`<|START_THINKING|>`), Kimi (`◁think▷`), Gemma 4 (`<|channel>thought`), and fences such as ```thinking.
 */
const OPENING = [
  `<(?:${TAG})(?:\\s[^<>]{0,200})?>`,
  '\\[THINK\\]',
  '<\\|begin_of_thought\\|>',
  '<\\|START_THINKING\\|>',
  '<\\|think\\|>',
  '◁think▷',
  '<\\|channel>(?:thought)?',
].join('|');
const CLOSING = [
  `</(?:${TAG})\\s{0,20}>`,
  '\\[/THINK\\]',
  '<\\|end_of_thought\\|>',
  '<\\|END_THINKING\\|>',
  '<\\|/think\\|>',
  '◁/think▷',
  '</?channel\\|>',
].join('|');
const FENCE = '(?:^|\\n)```(?:thinking|think|thoughts|thought|reasoning)[ \\t]*\\r?\\n';
const EMPTY_TAG = `<(?:${TAG})\\s{0,20}/>`;

const MARK = new RegExp(
  `(?<closing>${CLOSING})|(?<empty>${EMPTY_TAG})|(?<opening>${OPENING})|(?<fence>${FENCE})`,
  'gi',
);
const END = new RegExp(CLOSING, 'gi');
const FENCE_END = /\n```[ \t]*(?=\r?\n|$)/g;
const WRAPPER = /^<answer>([\s\S]*)<\/answer>$/i;
const SOLUTION = /<\|(?:begin_of_solution|end_of_solution|START_RESPONSE|END_RESPONSE|START_TEXT|END_TEXT)\|>/g;

/**
 * Returns the answer alone: without blocks of reasoning, without all before a lone closing mark, and without all after an
 * opening mark that is never closed. Marks in a JSON string of the answer and marks in quotes or backticks are text. A
 * text without reasoning is returned as it is.
 */
export function withoutReasoning(text: string): string {
  if (!REASONING_WORDS.test(text) || readJson(text.trim()) !== undefined) return text;
  const final = finalChannel(text);
  if (final !== undefined) return final;
  const { kept, found } = cut(text);
  if (!found) return text;
  const answer = kept.replace(SOLUTION, '').replace(BARE_FINAL, '').trim();
  return (WRAPPER.exec(answer)?.[1] ?? answer).trim();
}

/** Whether the first mark of the text is a closing one. */
export function endsReasoning(text: string): boolean {
  return markAt(text, 0)?.kind === 'closing';
}

interface Cut {
  readonly kept: string;
  readonly found: boolean;
}

function cut(text: string): Cut {
  const solid = text.trimEnd().length;
  const values = valuesIn(text);
  let kept = '';
  let found = false;
  let at = 0;
  for (let mark = markAt(text, at); mark !== undefined; mark = markAt(text, at)) {
    const { index, end, kind } = mark;
    const value = isQuoted(text, index, end) ? end : values.around(at, index);
    if (value !== undefined) {
      kept += text.slice(at, value);
      at = value;
      continue;
    }
    found = true;
    kept += text.slice(at, index);
    // Some servers let a closing tag slip in after an answer in JSON.
    if (kind === 'closing' && (end < solid || readJson(kept.trim()) === undefined)) kept = '';
    at = kind === 'closing' || kind === 'empty' ? end : endOfBlock(text, end, kind);
    if (values.isRest(at)) break;
  }
  return { kept: kept + text.slice(at), found };
}

interface Mark {
  readonly index: number;
  readonly end: number;
  readonly kind: 'opening' | 'closing' | 'empty' | 'fence';
}

function markAt(text: string, from: number): Mark | undefined {
  MARK.lastIndex = from;
  const found = MARK.exec(text);
  if (found === null) return undefined;
  const { closing, empty, fence } = found.groups ?? {};
  const kind =
    closing !== undefined ? 'closing' : empty !== undefined ? 'empty' : fence !== undefined ? 'fence' : 'opening';
  return { index: found.index, end: found.index + found[0].length, kind };
}

function endOfBlock(text: string, from: number, kind: Mark['kind']): number {
  const ends = kind === 'fence' ? FENCE_END : END;
  ends.lastIndex = Math.max(0, kind === 'fence' ? from - 1 : from);
  for (let found = ends.exec(text); found !== null; found = ends.exec(text)) {
    const end = found.index + found[0].length;
    if (!isQuoted(text, found.index, end)) return end;
  }
  return text.length;
}

/** `<think>` in backticks or quotes is spoken of, not used. */
function isQuoted(text: string, from: number, to: number): boolean {
  const quote = text[from - 1];
  return quote !== undefined && '`"\''.includes(quote) && text[to] === quote;
}

/** Characters that are read at most in search of values, for each character of the text. */
const MOST_READINGS = 8;
const LEAST_READINGS = 10_000;
const MOST_RESTS = 32;

interface ValueSearch {
  /** The end of a JSON value that begins at `from` or later and holds the mark at `index`. */
  around(from: number, index: number): number | undefined;
  /** Whether the rest of the text is one JSON value. */
  isRest(from: number): boolean;
}

function valuesIn(text: string): ValueSearch {
  let left = MOST_READINGS * text.length + LEAST_READINGS;
  let rests = 0;
  let next = 0;
  return {
    around(from, index) {
      for (let at = Math.max(from, next); at < index && left > 0; at++) {
        if (text[at] !== '{' && text[at] !== '[') continue;
        const { isClosed, readUpTo } = scanJson(text, at);
        if (isClosed && readUpTo <= index) at = readUpTo - 1;
        else {
          if (isClosed && readJson(text.slice(at, readUpTo)) !== undefined) return readUpTo;
          left -= readUpTo - at;
        }
      }
      next = index;
      return undefined;
    },
    isRest(from) {
      rests += 1;
      return rests <= MOST_RESTS && readJson(text.slice(from)) !== undefined;
    },
  };
}

const FINAL = /<\|channel\|>\s{0,20}final\b(?:[^\n{]{0,100}?<\|message\|>)?/g;
const CHANNEL = /(?:<\|start\|>[a-z]{0,20})?<\|channel\|>/;
const CHANNEL_END = /<\|(?:end|return|call|start|channel)\|>/;
const LAST_MARKS = /(?:<\|(?:end|return|call)\|>\s*)+$/;
/** gpt-oss on servers that drop its special tokens. */
const BARE_FINAL = /^\s*(?:analysis[\s\S]*?)?assistantfinal/;

/** The final channel of gpt-oss; empty when it wrote only other channels, and undefined when it wrote none. */
function finalChannel(text: string): string | undefined {
  const first = CHANNEL.exec(text);
  if (first === null || isQuoted(text, first.index, first.index + first[0].length)) {
    const bare = BARE_FINAL.exec(text);
    return bare === null ? undefined : text.slice(bare[0].length).trim();
  }
  if (valuesIn(text).around(0, first.index) !== undefined) return undefined;
  const bodies = [...text.matchAll(FINAL)].map(({ index, 0: mark }) => index + mark.length);
  const last = bodies.at(-1);
  if (last === undefined) {
    const isInBlock = (markAt(text, 0)?.index ?? first.index) < first.index;
    return isInBlock ? undefined : text.slice(0, first.index).trim();
  }
  const solid = text.replace(LAST_MARKS, '').trimEnd();
  // A mark in a JSON string of the answer begins no channel.
  const json = bodies.slice(0, MOST_RESTS).find((at) => readJson(solid.slice(at)) !== undefined);
  if (json !== undefined) return solid.slice(json).trim();
  return text.slice(last).split(CHANNEL_END, 1)[0]?.trim() ?? '';
}
