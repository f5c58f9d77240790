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
  /** A small number; who owns the records maps it to a name. */
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

/** The folded state of a stream at one version, which spares a reader the entries before it. It can be made anew at any time. */
export interface Snapshot {
  /** The version of the last entry that is folded in. */
  readonly version: number;
  /** By which its writer knows whether they can read it. */
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
  /** The status of the last append with a status; '' before that. */
  readonly status: string;
  /** Small JSON text for lists, likewise; '{}' before that. */
  readonly summary: string;
  /** Who has the lease, and until when, even if expired since. */
  readonly holder?: Holder;
  readonly heldUntil?: Instant;
}

export interface Append {
  readonly stream: string;
  /** The stream's version before. */
  readonly expected: number;
  /** From the lease. */
  readonly epoch: number;
  /** From version `expected + 1` on; may be empty. */
  readonly entries: readonly Entry[];
  readonly blobs: readonly Blob[];
  /** It must survive power loss before anything follows from it, whatever the durability of the store. */
  readonly flush?: true;
  readonly status?: string;
  readonly summary?: string;
  /** Inbox items that these entries answer: they leave the inbox with this very append, or not at all. */
  readonly taken?: readonly TakenItem[];
}

/** An inbox item that has been dealt with. */
export interface TakenItem {
  readonly id: string;
  /** JSON text for whoever posted it; the store does not read it. */
  readonly answer: string;
}

/** An order for a stream's holder. */
export interface InboxItem {
  /** Idempotency key: a stream takes each at most once. */
  readonly id: string;
  /** JSON text. */
  readonly command: string;
  readonly by: string;
  readonly why: string;
  readonly at: Instant;
}

/** How many texts of outcomes are kept. */
export const MOST_OUTCOMES = 500;

/**
 * Writes happen in the order in which they are called. Those that return promises wait for the end of the tick
 * and are committed together; the others commit at once, and what waits goes with them. A write that is refused
 * leaves no trace and does not touch its neighbours.
 * Every function throws (or rejects with) `StoreRefused` when the store cannot do its work.
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
  /** Committed entries in order of version, those after `after`, at most so many; none for an unknown stream. */
  read(stream: string, after?: number, most?: number): readonly Entry[];
  blob(digest: Digest): string | undefined;
  /** Newest first. */
  streams(limit?: number): readonly StreamHeader[];
  header(stream: string): StreamHeader | undefined;
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
  /** Keeps it in the place of the one before; false when the lease is no longer held. */
  keepSnapshot(lease: Lease, snapshot: Snapshot): boolean;
  /** The one that was kept last; none where it is damaged. */
  snapshot(stream: string): Snapshot | undefined;
  /** False when the stream has had an item of that id before. Throws `AppendRefused` (`unknown`). */
  post(stream: string, item: InboxItem): boolean;
  /** Items not yet taken, in the order they were posted. */
  inbox(stream: string): readonly InboxItem[];
  /** The answer to an item; undefined until the item has been taken. */
  answer(stream: string, id: string): string | undefined;
  /** Keeps a text under an id, in the place of one that was kept before; of all of them the newest `MOST_OUTCOMES`. */
  keepOutcomes(id: string, text: string): void;
  /** Newest first. */
  outcomes(): readonly string[];
  /** Whether another connection has committed since this was last asked (or the journal opened). Cheap. */
  changed(): boolean;
  /** Reads the store from end to end and lists its problems. */
  check(): readonly Issue[];
  /** Commits what waits and lets go of the store. */
  close(): Promise<void>;
}
