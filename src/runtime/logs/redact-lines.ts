// Removes secrets from the lines of one writer, also those that several lines hold together.
import { isJsonObject } from '../../base/json.ts';
import type { WrittenLine } from '../../capabilities/log.ts';
import { REDACTED, type Redaction, SHORTEST_SECRET } from '../ports/redaction.ts';

/** A written line with its time. */
export interface TimedLine extends WrittenLine {
  readonly at: number;
}

export interface RedactedLines {
  /** Returns the lines that hold no part of a secret that the next line may continue. */
  take(line: TimedLine): readonly TimedLine[];
  /** Returns the lines that were held back. */
  end(): readonly TimedLine[];
}

/** Lines that are held back at most: a secret with more lines than this is not known. */
const MOST_HELD = 100;
/** Characters of the line before that are looked at together with a line: more than redaction needs to see encoded bytes. */
const LOOK_BACK = 64;

/**
 * A key in several lines is one secret. A line that ends with the beginning of a secret waits for the next one, and lines
 * that hold one secret together become one line.
 * @param redaction called for each line, because more secrets may be known by then
 */
export function redactedLines(redaction: () => Redaction): RedactedLines {
  let held: TimedLine[] = [];
  /** The end of the last line that was handed over, as it was written. */
  let before = '';

  function release(known: Redaction): readonly TimedLine[] {
    const lines = held;
    held = [];
    if (lines.length === 0) return lines;
    const joined = textOf(lines);
    const whole = known.text(`${before}\n${joined}`);
    const clean = whole.includes(REDACTED) ? redactedTogether(lines, known, { before, whole }) : lines;
    before = joined.slice(-LOOK_BACK);
    return clean.map((line) => withoutData(line, known));
  }

  return {
    take(line) {
      const known = redaction();
      held.push(line);
      const text = textOf(held);
      const isBegun = text.length - known.safeLength(text, text.length) >= SHORTEST_SECRET;
      return isBegun && held.length < MOST_HELD ? [] : release(known);
    },
    end: () => release(redaction()),
  };
}

function textOf(lines: readonly TimedLine[]): string {
  const [only] = lines;
  return only !== undefined && lines.length === 1 ? only.message : lines.map(({ message }) => message).join('\n');
}

function redactedTogether(
  lines: readonly TimedLine[],
  { text }: Redaction,
  { before, whole }: { readonly before: string; readonly whole: string },
): readonly TimedLine[] {
  const together = text(textOf(lines));
  // A secret that began in the last few characters of the line before goes on in the first line.
  const [first, ...rest] = groupsOf(lines, text, together);
  const isContinued = whole !== `${text(before)}\n${together}`;
  if (first === undefined) return [];
  return [isContinued ? { ...first, message: REDACTED } : first, ...rest];
}

/** Lines that hold one secret together become one line; all others stay apart. */
function groupsOf(lines: readonly TimedLine[], text: Redaction['text'], together: string): readonly TimedLine[] {
  const groups: TimedLine[] = [];
  let from = 0;
  for (let to = 1; to <= lines.length; to += 1) {
    const isApart =
      to === lines.length || `${text(textOf(lines.slice(0, to)))}\n${text(textOf(lines.slice(to)))}` === together;
    const [line] = lines.slice(from, from + 1);
    if (!isApart || line === undefined) continue;
    groups.push({ ...line, message: text(textOf(lines.slice(from, to))) });
    from = to;
  }
  return groups;
}

function withoutData(line: TimedLine, { value }: Redaction): TimedLine {
  if (line.data === undefined) return line;
  const data = value(line.data);
  return isJsonObject(data) ? { ...line, data } : line;
}
