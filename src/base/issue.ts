// Issues: problems in a document. Callers collect them all instead of throwing the first.
import { defined } from './json.ts';
import type { Place } from './place.ts';

type Severity = 'error' | 'warning' | 'info';
export type PathPart = string | number;

/** An edit of the document that solves an issue. */
export interface Mend {
  /** A sentence that begins with a verb: `Write "{{ input.folder }}"`. */
  readonly title: string;
  /** Replacements that do not overlap; an empty place inserts. */
  readonly edits: readonly MendEdit[];
}

export interface MendEdit {
  readonly place: Place;
  readonly text: string;
}

/** A problem in a template, a fragment, an expression or a contract. Contains names and types, never data values. */
export interface Issue {
  /** NOUN_PROBLEM; docs/errors.md has a row for each. */
  readonly code: string;
  readonly severity: Severity;
  /** One sentence without a full stop that says what is wrong. */
  readonly message: string;
  /** The path from the root of the document. */
  readonly path: readonly PathPart[];
  readonly place?: Place;
  /** Says how to fix the problem. */
  readonly hint?: string;
  /** Present when one edit certainly solves the problem. */
  readonly mend?: Mend;
}

export interface IssueDetails {
  readonly path?: readonly PathPart[];
  readonly place?: Place | undefined;
  readonly hint?: string | undefined;
  readonly mend?: Mend | undefined;
  readonly severity?: Severity;
}

export function issue(code: string, message: string, details: IssueDetails = {}): Issue {
  return {
    code,
    severity: details.severity ?? 'error',
    message,
    path: details.path ?? [],
    ...defined({ place: details.place, hint: details.hint, mend: details.mend }),
  };
}

export function hasErrors(issues: readonly Issue[]): boolean {
  return issues.some((each) => each.severity === 'error');
}

const PLAIN = /^[\p{L}\p{N}_$?!*+-]+$/u;

/** `steps[2].input.path`, `capabilities["./own.ts"]` */
export function pathText(path: readonly PathPart[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    if (!PLAIN.test(part)) return `${text}[${JSON.stringify(part)}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}
