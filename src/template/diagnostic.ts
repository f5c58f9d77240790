// Shows issues as people read them: the place, the line, a caret under it, how to mend it.
import { type Issue, pathText } from '../base/issue.ts';
import type { Json } from '../base/json.ts';
import { type Place, placeText } from '../base/place.ts';

type Tone = 'error' | 'warning' | 'info' | 'quiet';
/** Colours a text; the identity for plain output. */
export type Style = (tone: Tone, text: string) => string;

const SHOWN_COLUMNS = 160;

const plain: Style = (_, text) => text;

/** Issues in the order of the text; `linesOf` answers a file's lines, or nothing for a file that is not at hand. */
export function renderIssues(
  issues: readonly Issue[],
  linesOf: (file: string) => readonly string[] | undefined,
  style: Style = plain,
): string {
  return inOrder(issues)
    .map((each) => renderIssue(each, each.place === undefined ? undefined : linesOf(each.place.file), style))
    .join('\n');
}

export function renderIssue(issue: Issue, lines: readonly string[] | undefined, style: Style = plain): string {
  const { place, hint } = issue;
  const where = place === undefined ? pathText(issue.path) : placeText(place);
  const head = `${where === '' ? '' : `${where}: `}${style(issue.severity, `${issue.severity} ${issue.code}`)}: ${issue.message}`;
  const source = place === undefined || lines === undefined ? [] : excerpt(place, lines, issue, style);
  return [head, ...source, ...(hint === undefined ? [] : [`   hint: ${hint}`])].join('\n');
}

/** The documented shape of `--format json`. */
export function issuesToJson(issues: readonly Issue[]): Json {
  return inOrder(issues).map(({ code, severity, message, path, place, hint }) => ({
    code,
    severity,
    message,
    path: [...path],
    ...(place === undefined ? {} : { place: { ...place } }),
    ...(hint === undefined ? {} : { hint }),
  }));
}

/** The first line of the place, and a caret under each of its characters. */
function excerpt(place: Place, lines: readonly string[], { severity }: Issue, style: Style): readonly string[] {
  const line = lines[place.line - 1];
  if (line === undefined) return [];
  const number = String(place.line).padStart(5);
  const from = place.column - 1;
  const end = place.endLine === place.line ? place.endColumn - 1 : line.length;
  // A line pages wide is shown around the caret.
  const skipped = line.length > SHOWN_COLUMNS ? Math.max(0, from - SHOWN_COLUMNS / 2) : 0;
  const shown = line.slice(skipped, skipped + SHOWN_COLUMNS);
  const lead = shown.slice(0, from - skipped).replace(/[^\t]/g, ' ');
  const width = Math.max(1, Math.min(end, skipped + SHOWN_COLUMNS) - from);
  const bar = style('quiet', '|');
  return [
    `${style('quiet', number)} ${bar} ${shown}`,
    `${' '.repeat(number.length)} ${bar} ${lead}${style(severity, '^'.padEnd(width, '~'))}`,
  ];
}

function inOrder(issues: readonly Issue[]): readonly Issue[] {
  const at = (issue: Issue) => issue.place ?? { file: '', line: 0, column: 0 };
  return issues.toSorted(
    (left, right) =>
      compare(at(left).file, at(right).file) || at(left).line - at(right).line || at(left).column - at(right).column,
  );
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
