// Renders issues for people: the place, the source line with a caret, and the hint.
import { type Issue, pathText } from '../base/issue.ts';
import { defined } from '../base/json.ts';
import { type Place, placeText } from '../base/place.ts';

type Tone = Issue['severity'] | 'quiet';

/** The caller chooses a color for each tone. */
interface Piece {
  readonly text: string;
  readonly tone?: Tone;
}

/** The lines of an issue. */
interface IssueText {
  readonly head: readonly Piece[];
  /** The source line, and the line with the caret below it. */
  readonly source: readonly (readonly Piece[])[];
  readonly hint?: string;
}

type LinesOf = (file: string) => readonly string[] | undefined;

/** The most characters of a source line. */
const SHOWN_COLUMNS = 160;

/** Sorts issues by place. `linesOf` returns the lines of a file, or undefined for an unknown file. */
export function issueTexts(issues: readonly Issue[], linesOf: LinesOf): readonly IssueText[] {
  return inOrder(issues).map((each) =>
    issueText(each, each.place === undefined ? undefined : linesOf(each.place.file)),
  );
}

export function issueText(issue: Issue, lines: readonly string[] | undefined): IssueText {
  const { place, hint, severity, code, message } = issue;
  const where = place === undefined ? pathText(issue.path) : placeText(place);
  return {
    head: [
      { text: where === '' ? '' : `${where}: ` },
      { text: `${severity} ${code}`, tone: severity },
      { text: `: ${message}` },
    ],
    source: place === undefined || lines === undefined ? [] : excerpt(place, lines, issue),
    ...defined({ hint }),
  };
}

/** Renders issues without color. */
export function renderIssues(issues: readonly Issue[], linesOf: LinesOf): string {
  return issueTexts(issues, linesOf).map(plain).join('\n');
}

export function renderIssue(issue: Issue, lines: readonly string[] | undefined): string {
  return plain(issueText(issue, lines));
}

function plain({ head, source, hint }: IssueText): string {
  const told = [head, ...source].map((pieces) => pieces.map(({ text }) => text).join(''));
  return [...told, ...(hint === undefined ? [] : [`   hint: ${hint}`])].join('\n');
}

/** The issues as `--format json` prints them. */
export function issuesToJson(issues: readonly Issue[]): readonly Issue[] {
  return inOrder(issues).map(({ code, severity, message, path, place, hint, mend }) => ({
    code,
    severity,
    message,
    path: [...path],
    ...defined({ place: place === undefined ? undefined : { ...place }, hint, mend }),
  }));
}

/** The first line of the place, and a caret line below it. */
function excerpt(place: Place, lines: readonly string[], { severity }: Issue): IssueText['source'] {
  const line = lines[place.line - 1];
  // The lines of a file that is no text would only confuse.
  if (line === undefined || line.includes('\u0000') || line.includes('\ufffd\ufffd')) return [];
  const number = String(place.line).padStart(5);
  const from = place.column - 1;
  const end = place.endLine === place.line ? place.endColumn - 1 : line.length;
  // A long line is cut around the caret.
  const skipped = line.length > SHOWN_COLUMNS ? Math.max(0, from - SHOWN_COLUMNS / 2) : 0;
  const shown = line.slice(skipped, skipped + SHOWN_COLUMNS);
  const lead = shown.slice(0, from - skipped).replace(/[^\t]/g, ' ');
  const width = Math.max(1, Math.min(end, skipped + SHOWN_COLUMNS) - from);
  return [
    [{ text: `${number} | `, tone: 'quiet' }, { text: shown }],
    [
      { text: `${' '.repeat(number.length)} | `, tone: 'quiet' },
      { text: lead },
      { text: '^'.padEnd(width, '~'), tone: severity },
    ],
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
