// A line of text: spans with a tone, which a terminal shows as color.

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'dim' | 'strong';

export interface Span {
  readonly text: string;
  readonly tone?: Tone;
  /** A line that is too long continues under the beginning of this span. */
  readonly hangs?: true;
  /** The span is never broken, because people copy it from the screen. */
  readonly whole?: true;
  /** One cell of a table. */
  readonly cell?: Cell;
}

/** The settings that all cells of a column share. */
export interface Cell {
  readonly width: number;
  /** The least width: the longest word. */
  readonly least: number;
  readonly align?: 'right';
}

export type Line = readonly Span[];

/** Makes a span. Control and direction characters become spaces, so that data cannot steer a terminal. */
export function span(text: string, tone?: Tone): Span {
  const clean = text.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ');
  return tone === undefined ? { text: clean } : { text: clean, tone };
}

/** A text behind a label, under which long lines continue. */
export function hanging(text: string, tone?: Tone): Span {
  return { ...span(text, tone), hangs: true };
}

/** A command or an address that people copy from the screen. */
export function copyable(text: string, tone?: Tone): Span {
  return { ...span(text, tone), whole: true };
}

export function plainText(line: Line): string {
  return line.map(({ text }) => text).join('');
}

export function widthOf(line: Line): number {
  return line.reduce((sum, { text }) => sum + columnsOf(text), 0);
}

const WIDE = /[\p{Emoji_Presentation}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303f\uff01-\uff60]/u;
const NONE = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** The number of columns that the text takes on a screen. */
export function columnsOf(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII text is as wide as it is long
  if (/^[\x00-\x7f]*$/.test(text)) return text.length;
  return [...text].reduce((sum, character) => sum + columnsOfOne(character), 0);
}

function columnsOfOne(character: string): number {
  if (NONE.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/**
 * Cuts a line to a number of columns and adds an ellipsis. Cuts at the end of a word, unless less than half of the columns
 * would be used.
 */
export function shorten(line: Line, columns: number): Line {
  if (widthOf(line) <= columns) return line;
  const kept: Span[] = [];
  let left = keptLength(plainText(line), Math.max(0, columns - 1));
  for (const each of line) {
    if (left <= 0) break;
    kept.push({ ...each, text: each.text.slice(0, left) });
    left -= each.text.length;
  }
  return [...kept, { text: '…' }];
}

/** The number of characters that fit into the columns. */
function keptLength(text: string, columns: number): number {
  let fits = 0;
  let width = 0;
  for (const character of text) {
    width += columnsOfOne(character);
    if (width > columns) break;
    fits += character.length;
  }
  if (text.charAt(fits) === ' ') return fits;
  const end = text.slice(0, fits).search(/\s+\S*$/);
  return end >= columns / 2 ? end : fits;
}
