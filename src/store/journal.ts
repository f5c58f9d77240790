// The journal: an append-only record of streams, each written by one holder of a lease. The journal does not know what the records mean.
import type { Digest } from '../base/digest.ts';
import type { Issue } from '../base/issue.ts';
import type { Duration, Instant } from '../base/quantity.ts';
import type { Result } from '../base/result.ts';
import type { Holder, Lease, Tenure } from './lease.ts';

/** One record of a stream. All numbers are integers. */
export interface Entry {
  /** 1, 2, 3 … without a gap. */
  readonly version: number;
  /** A small number, which the writer of the records maps to a name. */
  readonly type: number;
  readonly at: Instant;
  readonly cause: number;
  /** JSON text. */
  readonly payload: string;
}

/** A text kept once in the store, however many streams refer to it. */
export interface Blob {
  /** The digest of the text, or of its JSON value. */
  readonly digest: Digest;
  readonly text: string;
}

/** The folded state of a stream at one version, so that readers can skip the entries before it. It can be rebuilt at any time. */
export interface Snapshot {
  /** The version of the last entry that is folded in. */
  readonly version: number;
  /** Names the format of the text, so that a program knows whether it can read it. */
  readonly shape: string;
  readonly text: string;
}

export interface NewStream {
  readonly id: string;
  readonly title: string;
  readonly createdAt: Instant;
}

export interface StreamHeader extends NewStream {
  /** The version of the last entry; 0 when there is none. */
  readonly version: number;
  /** The status of the last append that had one; '' when none had. */
  readonly status: string;
  /** The summary of the last append that had one, as small JSON text; '{}' when none had. */
  readonly summary: string;
  /** The holder of the lease, even when the lease has expired. */
  readonly holder?: Holder;
  readonly heldUntil?: Instant;
}

export interface Append {
  readonly stream: string;
  /** The version of the stream before the append. */
  readonly expected: number;
  /** The epoch of the lease. */
  readonly epoch: number;
  /** From version `expected + 1` on; may be empty. */
  readonly entries: readonly Entry[];
  readonly blobs: readonly Blob[];
  /** The append must survive power loss before it resolves, whatever the durability of the store. */
  readonly flush?: true;
  readonly status?: string;
  readonly summary?: string;
  /** Inbox items that these entries answer; they leave the inbox in the same commit. */
  readonly taken?: readonly TakenItem[];
}

/** A summary that was found for a stream after it was written. */
export interface KeptSummary {
  readonly stream: string;
  /** The version of the stream that the summary is about. */
  readonly version: number;
  readonly summary: string;
}

/** An inbox item that was handled. */
export interface TakenItem {
  readonly id: string;
  /** JSON text for the sender of the item; the store does not read it. */
  readonly answer: string;
}

/** An order for a stream's holder. */
export interface InboxItem {
  /** The idempotency key: a stream takes each key at most once. */
  readonly id: string;
  /** JSON text. */
  readonly command: string;
  readonly by: string;
  readonly why: string;
  readonly at: Instant;
}

/** A log line of a stream. Lines are for people, and belong to no version. All numbers are integers. */
export interface LogRow {
  readonly at: Instant;
  /** A larger number is more severe. */
  readonly severity: number;
  readonly origin: LogOrigin;
  readonly message: string;
  /** JSON text of a map; '' for none. */
  readonly data: string;
}

/** The writer of log lines: an attempt, and a part of it. Texts may be ''. */
export interface LogOrigin {
  readonly step: string;
  readonly attempt: number;
  readonly delivery: number;
  /** The number of the call within the attempt; 0: the attempt is one call. */
  readonly call: number;
  readonly source: string;
  readonly trace: string;
}

export interface KeptLogRow extends LogRow {
  /** 1, 2, 3 … in the order of the commits. */
  readonly number: number;
}

/** Chooses log lines; empty: all of them. */
export interface LogRowQuery {
  /** The lines of these steps. */
  readonly steps?: readonly string[] | undefined;
  readonly attempt?: number | undefined;
  /** The least severity. */
  readonly severity?: number | undefined;
  /** Lines after this number. */
  readonly after?: number | undefined;
  /** Lines before this number. */
  readonly before?: number | undefined;
  /** Lines that were written at this time or earlier. */
  readonly until?: Instant | undefined;
  /** The most lines: the first ones, or with `last` the last ones. */
  readonly most?: number | undefined;
  readonly last?: boolean | undefined;
}

export interface LogTotals {
  /** Also the number of the last line. */
  readonly lines: number;
  /** Characters of the messages and attributes as they are stored. */
  readonly characters: number;
}

/** The number of outcome texts to keep. */
export const MOST_OUTCOMES = 500;

/** The number of notes to keep. */
export const MOST_NOTES = 500;

/**
 * Writes happen in the order in which they are called. Those that return promises wait for the end of the tick
 * and are committed together; the others commit at once, together with the waiting writes. A refused write leaves no
 * trace and does not affect other writes. Every function throws (or rejects with) `StoreRefused` when the store cannot do its work.
 */
export interface Journal {
  /** Every write throws `StoreRefused` (`STORE_READ_ONLY`). */
  readonly readOnly?: boolean;
  /**
   * A new, empty stream with its first lease, of epoch `FIRST_EPOCH`: the first append may be made in the same tick.
   * Rejects with `AppendRefused` (`exists`).
   */
  create(stream: NewStream, holder: Holder, ttl: Duration): Promise<Lease>;
  /** Resolves once durable. Rejects with `AppendRefused` (`unknown`, `epoch`, `version`, `full`). */
  append(append: Append): Promise<void>;
  /** At most `most` committed entries after version `after`, in order; none for an unknown stream. */
  read(stream: string, after?: number, most?: number): readonly Entry[];
  blob(digest: Digest): string | undefined;
  /** Newest first. */
  streams(limit?: number): readonly StreamHeader[];
  header(stream: string): StreamHeader | undefined;
  /** Replaces the summaries of streams that still have these versions; the others stay as they are. Needs no lease. */
  keepSummaries(summaries: readonly KeptSummary[]): void;
  /**
   * Takes the lease under a higher epoch when it is free, the holder's own, its holder is known to be dead, or when it
   * has expired and its holder is not known to be alive.
   * Throws `AppendRefused` (`unknown`).
   */
  acquire(stream: string, holder: Holder, now: Instant, ttl: Duration): Result<Lease, Tenure>;
  /** False when the lease is no longer held. */
  renew(lease: Lease, now: Instant, ttl: Duration): boolean;
  /** Fences the lease's epoch; nothing happens when the lease is no longer held. */
  release(lease: Lease): void;
  /** Replaces the snapshot of the stream; false when the lease is no longer held. */
  keepSnapshot(lease: Lease, snapshot: Snapshot): boolean;
  /** The last snapshot; undefined when it is damaged. */
  snapshot(stream: string): Snapshot | undefined;
  /** False when the stream has had an item of that id before. Throws `AppendRefused` (`unknown`). */
  post(stream: string, item: InboxItem): boolean;
  /** Items not yet taken, in the order they were posted. */
  inbox(stream: string): readonly InboxItem[];
  /** The answer to an item; undefined until the item has been taken. */
  answer(stream: string, id: string): string | undefined;
  /** Keeps a text under an id and replaces the text before. Only the newest `MOST_OUTCOMES` texts are kept. */
  keepOutcomes(id: string, text: string): void;
  /** Newest first. */
  outcomes(): readonly string[];
  /**
   * Keeps a text under an id and replaces the text before: something learned about the world outside, which may be lost.
   * Only the newest `MOST_NOTES` texts are kept.
   */
  keepNote(id: string, text: string): void;
  note(id: string): string | undefined;
  /**
   * Keeps log lines of a stream with the next commit, or after a fifth of a second. Never throws and waits for nothing: lines
   * that cannot be kept are dropped, and the end of the process loses those that wait.
   */
  keepLogs(stream: string, lines: readonly LogRow[]): void;
  /** Committed lines in their order; none for an unknown stream. */
  logs(stream: string, query?: LogRowQuery): readonly KeptLogRow[];
  logTotals(stream: string): LogTotals;
  /**
   * Removes streams with all their records, but keeps texts, outcomes and notes. A stream with a live holder stays. Returns the
   * removed streams.
   */
  remove(streams: readonly string[], now: Instant): readonly string[];
  /** Removes the texts that no entry of any stream names, and returns their number. Reads the whole store. */
  sweep(): number;
  /** True when another connection has committed since the last call, or since the journal was opened. Cheap. */
  changed(): boolean;
  /** Reads the store from end to end and lists its problems. */
  check(): readonly Issue[];
  /** Commits the waiting writes and closes the store. */
  close(): Promise<void>;
}
