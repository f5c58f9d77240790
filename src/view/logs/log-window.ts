// The log lines that a page draws: the last ones, more on request, and never more than a bound.
import type { KeptLogLine } from '../../engine/record/log-line.ts';

export interface LogWindow {
  readonly lines: readonly KeptLogLine[];
  /** There are lines before the first one. */
  readonly hasEarlier: boolean;
  /** New lines are appended; false once lines were dropped at the end. */
  readonly isAtEnd: boolean;
}

/** The lines to ask for at once. */
export const LINES_AT_ONCE = 500;
/** The most lines to draw. */
export const MOST_DRAWN = 2_000;

/** @param lines the last lines of the log, `LINES_AT_ONCE` at most */
export function lastLines(lines: readonly KeptLogLine[]): LogWindow {
  return { lines, hasEarlier: lines.length >= LINES_AT_ONCE, isAtEnd: true };
}

/** @param newer the last lines after the window, `LINES_AT_ONCE` at most; drops lines at the beginning when there are too many */
export function withNewer(window: LogWindow, newer: readonly KeptLogLine[]): LogWindow {
  if (!window.isAtEnd || newer.length === 0) return window;
  // There may be more lines between the window and these.
  if (newer.length >= LINES_AT_ONCE) return lastLines(newer);
  const known = window.lines.at(-1)?.number ?? 0;
  const all = [...window.lines, ...newer.filter(({ number }) => number > known)];
  const lines = all.slice(-MOST_DRAWN);
  return { ...window, lines, hasEarlier: window.hasEarlier || lines.length < all.length };
}

/** Drops lines at the end when there are too many. */
export function withEarlier(window: LogWindow, earlier: readonly KeptLogLine[]): LogWindow {
  const all = [...earlier, ...window.lines];
  const lines = all.slice(0, MOST_DRAWN);
  const isAtEnd = window.isAtEnd && lines.length === all.length;
  return { lines, hasEarlier: earlier.length >= LINES_AT_ONCE, isAtEnd };
}
