// Issues: findings about a document. They are collected, all of them, and never thrown one by one.
import { defined } from './json.ts';
import type { Place } from './place.ts';

type Severity = 'error' | 'warning' | 'info';
export type PathPart = string | number;

/** A finding about a template, a fragment, an expression or a contract. Carries names and types, never data values. */
export interface Issue {
  /** NOUN_PROBLEM; each is a row in docs/errors.md. */
  readonly code: string;
  readonly severity: Severity;
  /** What is wrong, one sentence without a full stop. */
  readonly message: string;
  /** Where in the document, from its root. */
  readonly path: readonly PathPart[];
  readonly place?: Place;
  /** How to mend it. */
  readonly hint?: string;
}

export interface IssueDetails {
  readonly path?: readonly PathPart[];
  readonly place?: Place | undefined;
  readonly hint?: string | undefined;
  readonly severity?: Severity;
}

export function issue(code: string, message: string, details: IssueDetails = {}): Issue {
  return {
    code,
    severity: details.severity ?? 'error',
    message,
    path: details.path ?? [],
    ...defined({ place: details.place, hint: details.hint }),
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
