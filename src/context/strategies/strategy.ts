// What a strategy is: one way to choose how much of each result a planner sees.
import { type Issue, issue } from '../../base/issue.ts';
import type { Result } from '../../base/result.ts';
import type { Packet } from '../body.ts';
import type { PacketRequest } from '../request.ts';

export interface Strategy {
  readonly name: PacketRequest['strategy'];
  assemble(request: PacketRequest): Result<Packet>;
}

export function overAllowance(what: string, tokens: number, { maxTokens }: PacketRequest, hint: string): Issue {
  const message = `${what} take ${tokens} tokens, and context.max_tokens is ${maxTokens}`;
  return issue('CONTEXT_OVER_ALLOWANCE', message, { path: ['context', 'max_tokens'], hint });
}
