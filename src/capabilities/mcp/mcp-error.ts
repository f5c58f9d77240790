// Errors of MCP servers: reported as an issue while a template loads, and as a failure of the step that made the call.

import type { Fate } from '../../base/failure.ts';
import { type Issue, issue } from '../../base/issue.ts';
import { defined } from '../../base/json.ts';
import type { Duration } from '../../base/quantity.ts';
import { CapabilityError } from '../capability-error.ts';

export interface McpError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly retry: 'may' | 'never';
  readonly retryAfter?: Duration;
  /** `refused`: the request was not carried out. `unknown`: nobody knows. Absent: the server tried and failed. */
  readonly fate?: Fate | undefined;
  /** The session is lost; a new one may be opened. */
  readonly lost: boolean;
}

type Details = Partial<Omit<McpError, 'code' | 'message'>>;

/** By default, the request was refused and may be retried. */
export function mcpError(code: string, message: string, details: Details = {}): McpError {
  return { code, message, retry: 'may', fate: 'refused', lost: false, ...details };
}

export function issueOf({ code, message, hint }: McpError): Issue {
  return issue(code, message, { hint });
}

export function errorOf({ code, message, retry, retryAfter, fate }: McpError): CapabilityError {
  return new CapabilityError(code, message, { retry, fate, ...defined({ retryAfter }) });
}
