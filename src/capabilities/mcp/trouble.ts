// What can go wrong with a server: told once for whoever loads a template, and once for the step whose call it was.

import type { Fate } from '../../base/failure.ts';
import { type Issue, issue } from '../../base/issue.ts';
import { defined } from '../../base/json.ts';
import type { Duration } from '../../base/quantity.ts';
import { CapabilityError } from '../capability-error.ts';

export interface Trouble {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly retry: 'may' | 'never';
  readonly retryAfter?: Duration;
  /** `refused`: the request was not carried out. `unknown`: nobody knows. Absent: the server tried and says that it failed. */
  readonly fate?: Fate | undefined;
  /** The session is gone; another one may be opened. */
  readonly lost: boolean;
}

type Details = Partial<Omit<Trouble, 'code' | 'message'>>;

/** Refused, and worth another attempt, unless said otherwise. */
export function trouble(code: string, message: string, details: Details = {}): Trouble {
  return { code, message, retry: 'may', fate: 'refused', lost: false, ...details };
}

export type Answered<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly trouble: Trouble };

export function issueOf({ code, message, hint }: Trouble): Issue {
  return issue(code, message, { hint });
}

export function errorOf({ code, message, retry, retryAfter, fate }: Trouble): CapabilityError {
  return new CapabilityError(code, message, { retry, fate, ...defined({ retryAfter }) });
}
