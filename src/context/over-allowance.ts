// The issue for content that must be shown and exceeds `context.max_tokens`.
import { type Issue, issue } from '../base/issue.ts';

export function overAllowance(what: string, tokens: number, maxTokens: number, hint: string): Issue {
  const message = `${what} take ${tokens} tokens, and context.max_tokens is ${maxTokens}`;
  return issue('CONTEXT_OVER_ALLOWANCE', message, { path: ['context', 'max_tokens'], hint });
}
