// A line of text for people: spans with a tone, which a terminal turns into colour and everything else leaves out.

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'dim' | 'strong';

export interface Span {
  readonly text: string;
  readonly tone?: Tone;
  /** Where the line does not fit, it goes on under the beginning of this span. */
  readonly hangs?: true;
  /** Is copied from the screen: no break of ours goes into it. */
  readonly whole?: true;
  /** One cell of a table. */
  readonly cell?: Cell;
}

/** What all cells of a column have in common. */
export interface Cell {
  readonly width: number;
  /** What it can be narrowed to: its longest word. */
  readonly least: number;
  readonly align?: 'right';
}

export type Line = readonly Span[];

/** Text from data cannot steer a terminal: control and direction characters become spaces. */
export function span(text: string, tone?: Tone): Span {
  const clean = text.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ');
  return tone === undefined ? { text: clean } : { text: clean, tone };
}

/** What is behind a label. */
export function hanging(text: string, tone?: Tone): Span {
  return { ...span(text, tone), hangs: true };
}

/** A command, an address: what is copied. */
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

/** How many columns of a screen it takes. */
export function columnsOf(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what is all ASCII is as wide as it is long
  if (/^[\x00-\x7f]*$/.test(text)) return text.length;
  return [...text].reduce((sum, character) => sum + columnsOfOne(character), 0);
}

function columnsOfOne(character: string): number {
  if (NONE.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/**
 * The beginning of a line that fits into so many columns, with an ellipsis where something is missing: at the end of a
 * word, unless that would leave less than half.
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

/** How much of a text is kept within so many columns. */
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
