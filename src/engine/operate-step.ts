// What people order of one step: to begin again, or to take a result from their hand.
import type { Issue } from '../base/issue.ts';
import type { Batch } from './batch.ts';
import type { CommandOf } from './command.ts';

export function resolveStep(_batch: Batch, _command: CommandOf<'resolve-step'>): Issue | undefined {
  return undefined;
}

export function retryStep(_batch: Batch, _command: CommandOf<'retry-step'>): Issue | undefined {
  return undefined;
}
