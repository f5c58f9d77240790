// Raises limits of a run that goes on; what was cut before stays cut.
import type { Issue } from '../base/issue.ts';
import type { Batch } from './batch.ts';
import type { CommandOf } from './command.ts';

export function raiseBudget(_batch: Batch, _command: CommandOf<'raise-budget'>): Issue | undefined {
  return undefined;
}
