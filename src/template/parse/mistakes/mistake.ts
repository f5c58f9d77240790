// A mistake in the syntax of a file, with the edits that make the text readable.
import type { YamlLine } from '../yaml-lines.ts';
import type { YamlToken } from '../yaml-tokens.ts';

export interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export interface Mistake {
  readonly code: string;
  readonly message: string;
  /** The part of the text that the message is about. */
  readonly from: number;
  readonly to: number;
  readonly hint: string;
  /** The edits that solve the mistake. */
  readonly edits: readonly TextEdit[];
  /** Whether the edits are offered; others only show whether the text is readable without the mistake. */
  readonly offered: boolean;
  /** The title of the offered edits; by default the hint. */
  readonly title?: string;
  /** Counts only if most of the text behind is readable without it, because it may explain any broken line. */
  readonly isGuess?: true;
}

/** Mistakes that together may explain the first error of a text. */
export type Explanation = readonly Mistake[];

/** A text with a syntax error. */
export interface BrokenText {
  readonly text: string;
  readonly tokens: readonly YamlToken[];
  readonly lines: readonly YamlLine[];
  /** The first error of the parser. */
  readonly error: { readonly from: number; readonly code: string };
  /** The position in `lines` of the line with the error, or of the last line before it. */
  readonly row: number;
}

export type FindMistakes = (broken: BrokenText) => readonly Explanation[];

export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return edits
    .toSorted((left, right) => right.from - left.from)
    .reduce((edited, { from, to, text: own }) => edited.slice(0, from) + own + edited.slice(to), text);
}

/** Writes a text in quotes, with single quotes if it contains double quotes. */
export function inQuotes(text: string): string {
  if (!/["\\]/.test(text)) return `"${text}"`;
  return text.includes("'") ? JSON.stringify(text) : `'${text}'`;
}

/** Shortens a text for a message. */
export function shortened(text: string, most = 60): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** The rows around the error, nearest first: its own, the next, and those before it. */
export function rowsNear({ lines, row }: BrokenText, before: number, after: number): readonly YamlLine[] {
  const rows = [row];
  for (let apart = 1; apart <= Math.max(before, after); apart += 1) {
    if (apart <= after) rows.push(row + apart);
    if (apart <= before) rows.push(row - apart);
  }
  return rows.flatMap((each) => lines[each] ?? []);
}
