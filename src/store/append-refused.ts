// The journal's refusal of one write: nothing of it was written, and the store is sound.
import { Fault } from '../base/fault.ts';
import type { Append } from './journal.ts';

/** The last version that a stream can reach. */
export const LONGEST_STREAM = 2 ** 24 - 1;

/** `exists`, `unknown`: the stream; `epoch`: the lease has changed hands; `version`: others have appended since. */
export type RefusalReason = 'exists' | 'unknown' | 'epoch' | 'version' | 'full';

const EXPLANATIONS: Readonly<Record<RefusalReason, string>> = {
  exists: 'there is a stream of that id already',
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

/** Where a stream stands. */
export interface StreamPosition {
  readonly version: number;
  readonly epoch: number;
}

/** Throws `AppendRefused` unless the append fits the stream as it stands, and a Fault unless its entries number on. */
export function refuseUnlessFits(append: Append, standing: StreamPosition): void {
  if (standing.epoch !== append.epoch) throw new AppendRefused('epoch', append.stream);
  if (append.expected + append.entries.length > LONGEST_STREAM) throw new AppendRefused('full', append.stream);
  if (standing.version !== append.expected) throw new AppendRefused('version', append.stream);
  let version = append.expected;
  for (const entry of append.entries) {
    version += 1;
    if (entry.version !== version) {
      throw new Fault(`stream ${append.stream}: entry ${entry.version} stands where ${version} should`);
    }
  }
}
