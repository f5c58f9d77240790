// The refusal of one write by the journal: nothing of it was written, and the store is sound.
import { Fault } from '../base/fault.ts';
import type { Append } from './journal.ts';

/** The last version that a stream can reach. */
export const LONGEST_STREAM = 2 ** 24 - 1;

/** `exists`, `unknown`: the stream; `epoch`: the lease has changed hands; `version`: others have appended since. */
export type RefusalReason = 'exists' | 'unknown' | 'epoch' | 'version' | 'full';

const EXPLANATIONS: Readonly<Record<RefusalReason, string>> = {
  exists: 'a stream with this id exists already',
  unknown: 'there is no such stream',
  epoch: 'its lease has been taken over or given back',
  version: 'it is not at the expected version',
  full: 'it would have too many entries',
};

export class AppendRefused extends Error {
  override readonly name = 'AppendRefused';
  readonly reason: RefusalReason;
  readonly stream: string;

  constructor(reason: RefusalReason, stream: string) {
    super(`stream ${stream}: ${EXPLANATIONS[reason]}`);
    this.reason = reason;
    this.stream = stream;
  }
}

/** The version and the lease epoch of a stream. */
export interface StreamPosition {
  readonly version: number;
  readonly epoch: number;
}

/** @throws AppendRefused when the append does not fit the stream; Fault when its entries are not numbered without a gap */
export function refuseUnlessFits(append: Append, standing: StreamPosition): void {
  if (standing.epoch !== append.epoch) throw new AppendRefused('epoch', append.stream);
  if (append.expected + append.entries.length > LONGEST_STREAM) throw new AppendRefused('full', append.stream);
  if (standing.version !== append.expected) throw new AppendRefused('version', append.stream);
  let version = append.expected;
  for (const entry of append.entries) {
    version += 1;
    if (entry.version !== version) {
      throw new Fault(`stream ${append.stream}: entry ${entry.version} where ${version} is expected`);
    }
  }
}
