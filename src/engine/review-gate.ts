// What a person has decided at a gate, and what follows from it.
import type { Issue } from '../base/issue.ts';
import type { Batch } from './batch.ts';
import type { CommandOf } from './command.ts';

export function reviewGate(_batch: Batch, _command: CommandOf<'review'>): Issue | undefined {
  return undefined;
}
