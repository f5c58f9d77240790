// Reads the smallest parts of Python text: blanks, names, numbers and marks.
import { PythonFault } from './fault.ts';
import type { Span } from './syntax.ts';

/** The deepest nesting of brackets. */
const MOST_DEPTH = 100;

export interface Cursor {
  readonly text: string;
  /** One past the last character to read. */
  readonly end: number;
  at: number;
  /** The offsets of the open brackets; inside brackets a line break is a blank. */
  readonly opened: number[];
}

const BLANK = /(?:[ \t\f\r\u00a0\ufeff]+|\\\r?\n|#[^\n]*)+/y;
const BLANK_IN_BRACKETS = /(?:\s+|\\\r?\n|#[^\n]*)+/y;
const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy;
/** `Text-to-Speech(`: tools of public lists have names that Python does not allow. */
const HYPHENED = /[\p{L}_][\p{L}\p{N}_]*(?:-[\p{L}\p{N}_]+)+(?=\()/uy;
const NUMBER = /(?:0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?)/y;

/** The match at the cursor, which stays where it is. */
function matchAt({ text, at, end }: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = at;
  const found = at < end ? pattern.exec(text)?.[0] : undefined;
  return found === undefined ? undefined : found.slice(0, end - at);
}

function skipBlanks(c: Cursor): void {
  c.at += matchAt(c, c.opened.length > 0 ? BLANK_IN_BRACKETS : BLANK)?.length ?? 0;
}

/** The character after blanks; empty at the end. */
export function next(c: Cursor): string {
  skipBlanks(c);
  return c.at < c.end ? (c.text[c.at] ?? '') : '';
}

/** Takes the mark if it comes next. */
export function take(c: Cursor, mark: string): boolean {
  skipBlanks(c);
  if (!c.text.startsWith(mark, c.at) || c.at + mark.length > c.end) return false;
  c.at += mark.length;
  return true;
}

export function nameAhead(c: Cursor): string | undefined {
  skipBlanks(c);
  return matchAt(c, NAME);
}

export function toolAhead(c: Cursor): string | undefined {
  return matchAt(c, HYPHENED);
}

export function isNumberAhead(c: Cursor): boolean {
  return matchAt(c, NUMBER) !== undefined;
}

export function readNumber(c: Cursor, sign: number, from: number): number {
  const written = matchAt(c, NUMBER) ?? '';
  c.at += written.length;
  const at: Span = { from, to: c.at };
  if (matchAt(c, NAME) !== undefined || /^0\d*[1-9]/.test(written.replaceAll('_', ''))) {
    throw new PythonFault('this is no number', at, 'write it as 12, 1.5 or 1e6; a text stands in quotes');
  }
  const value = sign * Number(written.replaceAll('_', ''));
  if (Number.isNaN(value)) throw new PythonFault('this is no number', at, 'write it as 12, 1.5 or 1e6');
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
    throw new PythonFault(
      'the number has too many digits to be exact',
      at,
      'quote it to keep it as text',
      'NUMBER_INEXACT',
    );
  }
  return value;
}

/** Opens a bracket, whose mark comes next. */
export function open(c: Cursor): void {
  c.opened.push(c.at);
  c.at += 1;
  if (c.opened.length > MOST_DEPTH) {
    throw new PythonFault(
      `brackets nest more than ${MOST_DEPTH} levels deep`,
      { from: c.at - 1, to: c.at },
      'give the inner results names, on lines of their own',
      'SOURCE_TOO_DEEP',
    );
  }
}

/** Takes the closing mark if it comes next. */
export function closes(c: Cursor, mark: string): boolean {
  if (next(c) !== mark) return false;
  c.at += 1;
  c.opened.pop();
  return true;
}
