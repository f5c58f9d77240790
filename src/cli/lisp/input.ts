// Splits typed text into forms, and tells wrong input from unfinished input.
import { type Issue, issue } from '../../base/issue.ts';
import { isException, type LispException } from '../../lisp/exception.ts';
import type { Form } from '../../lisp/form.ts';
import type { Limits } from '../../lisp/limits.ts';
import { read } from '../../lisp/reader.ts';
import { locate } from '../../lisp/source-place.ts';

/** A part of the text of a session, and the line of the session on which it begins, from 1. */
export interface SourceText {
  readonly text: string;
  readonly line: number;
}

type Input =
  | { readonly kind: 'forms'; readonly forms: readonly Form[] }
  | { readonly kind: 'unfinished' | 'wrong'; readonly issue: Issue };

/** Ends an open comment or string, and is an error anywhere else. */
const PROBE = '\n@"@';

export function readInput({ text, line }: SourceText, file: string, limits: Limits): Input {
  const reading = attempt(text, limits);
  if (!isException(reading)) return { kind: 'forms', forms: reading };
  const at = reading.at ?? 0;
  const place = locate(text, at, at + 1, { file, line, column: 1, endLine: line, endColumn: 1 });
  const found = issue(reading.code, reading.message, { place, hint: reading.hint });
  // An error before the end of the text stays an error, whatever text follows.
  const further = attempt(text + PROBE, limits);
  const same = isException(further) && further.at === reading.at && further.message === reading.message;
  return { kind: same ? 'wrong' : 'unfinished', issue: found };
}

function attempt(text: string, limits: Limits): readonly Form[] | LispException {
  try {
    return read(text, limits);
  } catch (error) {
    if (isException(error)) return error;
    throw error;
  }
}

/** The text of one form, indented so that its columns stay the same. */
export function textOfForm({ text, line }: SourceText, { start, end }: Form): SourceText {
  const before = text.slice(0, start);
  const indent = start - (before.lastIndexOf('\n') + 1);
  return { text: ' '.repeat(indent) + text.slice(start, end), line: line + before.split('\n').length - 1 };
}
