// Writes docs/reference/errors.md from the table in docs/errors.md: a heading, and so an anchor, for each code.
import { page } from './pages.ts';

interface Row {
  readonly code: string;
  readonly meaning: string;
  readonly fix: string;
}

/** The rows of the table in docs/errors.md. */
function errorRows(table: string): readonly Row[] {
  return [...table.matchAll(/^\| `([A-Z0-9_]+)` \| (.+?) \| (.+) \|$/gm)].map(
    ([, code = '', meaning = '', fix = '']) => ({ code, meaning: bare(meaning), fix: bare(fix) }),
  );
}

export function errorReference(table: string): string {
  const letters = Map.groupBy(errorRows(table), ({ code }) => code.charAt(0));
  return page(
    '# Errors',
    '',
    '*For everybody who meets a code such as `STEP_TIMEOUT` in a message.* `reconverge docs STEP_TIMEOUT` prints the same.',
    '',
    'An *issue* is a finding about a document; `reconverge validate` shows its place. A *failure* is the end of a step;',
    '`reconverge why RUN STEP` explains it. Both have one of these codes.',
    '',
    ...[...letters].flatMap(([letter, rows]) => [
      `## ${letter}`,
      '',
      ...rows.flatMap(({ code, meaning, fix }) => [
        `### ${code}`,
        '',
        sentence(meaning),
        '',
        `**Fix:** ${sentence(fix)}`,
        '',
      ]),
    ]),
  );
}

function bare(cell: string): string {
  return cell.replaceAll('\\|', '|').trim();
}

/** The cell's text, closed with a full stop. */
function sentence(text: string): string {
  const first = text.replace(/^[a-z]/, (letter) => letter.toUpperCase());
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
