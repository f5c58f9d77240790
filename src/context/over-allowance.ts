// The issue for content that must be shown and exceeds `context.max_tokens`.
import { type Issue, issue } from '../base/issue.ts';

export function overAllowance(who: string, tokens: number, maxTokens: number, hint: string): Issue {
  const message = `${who} ${tokens.toLocaleString('en-US')} tokens of context, and context.max_tokens is ${maxTokens.toLocaleString('en-US')}`;
  return issue('CONTEXT_OVER_ALLOWANCE', message, { path: ['context', 'max_tokens'], hint });
}
