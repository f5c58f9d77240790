// The journal in memory, for tests and for runs that need not be kept.
import { defined } from '../base/json.ts';
import { type OptionTable, refuseOptions } from '../base/options.ts';
import type { Duration, Instant } from '../base/quantity.ts';
import { bad, good, type Result } from '../base/result.ts';
import { AppendRefused, refuseUnlessFits } from './append-refused.ts';
import { digestsIn } from './digests-in.ts';
import { type Group, groupCommit } from './group-commit.ts';
import { fateOf as fateOfHolder } from './holder.ts';
import {
  type Append,
  type Entry,
  type InboxItem,
  type Journal,
  type KeptLogRow,
  type KeptSummary,
  type LogRowQuery,
  type LogTotals,
  MOST_NOTES,
  MOST_OUTCOMES,
  type NewStream,
  type Snapshot,
  type StreamHeader,
} from './journal.ts';
import { type FateOf, FIRST_EPOCH, type Holder, isHeld, type Lease, mayTake, type Tenure } from './lease.ts';

interface Stream {
  readonly created: NewStream;
  readonly entries: Entry[];
  /** By id. An answered item stays, so that its id is not taken twice. */
  readonly inbox: Map<string, { readonly item: InboxItem; answer?: string }>;
  epoch: number;
  status: string;
  summary: string;
  tenure?: Tenure | undefined;
  snapshot?: Snapshot;
  readonly logs: KeptLogRow[];
}

/** Several journals may be opened on one memory, as several processes may open one file. */
export interface Memory {
  readonly streams: Map<string, Stream>;
  readonly blobs: Map<string, string>;
  /** Oldest first. */
  readonly outcomes: Map<string, string>;
  /** Oldest first. */
  readonly notes: Map<string, string>;
  commits: number;
}

export interface MemoryJournalOptions {
  readonly memory?: Memory;
  readonly fateOf?: FateOf;
}

export function emptyMemory(): Memory {
  return { streams: new Map(), blobs: new Map(), outcomes: new Map(), notes: new Map(), commits: 0 };
}

const optionTable: OptionTable<MemoryJournalOptions> = { memory: 'map', fateOf: 'function' };

/** Opens a journal that is gone when the process ends. @throws OptionsRefused */
export function openMemoryJournal(options: MemoryJournalOptions = {}): Journal {
  refuseOptions('openMemoryJournal', options, optionTable);
  const { memory = emptyMemory(), fateOf = fateOfHolder } = options;
  const { streams, blobs } = memory;
  const { group, changed } = commitsTo(memory);

  function known(id: string): Stream {
    const stream = streams.get(id);
    if (stream === undefined) throw new AppendRefused('unknown', id);
    return stream;
  }

  /** The stream, if the lease is still held. */
  function heldBy(lease: Lease): Stream | undefined {
    const stream = streams.get(lease.stream);
    return stream?.epoch === lease.epoch && stream.tenure !== undefined ? stream : undefined;
  }

  return {
    create: (created, holder, ttl) =>
      group.join(() => {
        if (streams.has(created.id)) throw new AppendRefused('exists', created.id);
        const { id } = created;
        streams.set(id, newStream(created, { holder, until: created.createdAt + ttl }));
        return { stream: id, epoch: FIRST_EPOCH, holder };
      }),
    append: (append) => group.join(() => appendTo(known(append.stream), append, blobs)),
    read: (stream, after = 0, most = Number.POSITIVE_INFINITY) =>
      streams.get(stream)?.entries.slice(after, after + most) ?? [],
    blob: (digest) => blobs.get(digest),
    streams: (limit = Number.POSITIVE_INFINITY) => [...streams.values()].reverse().slice(0, limit).map(headerOf),
    header: (id) => {
      const stream = streams.get(id);
      return stream === undefined ? undefined : headerOf(stream);
    },
    keepSummaries: (summaries) => group.now(() => keepSummaries(streams, summaries)),
    acquire: (id, holder, now, ttl) => group.now(() => acquireFor(known(id), holder, now, ttl, fateOf)),
    renew: (lease, now, ttl) =>
      group.now(() => {
        const stream = heldBy(lease);
        if (stream !== undefined) stream.tenure = { holder: lease.holder, until: now + ttl };
        return stream !== undefined;
      }),
    release: (lease) =>
      group.now(() => {
        const stream = heldBy(lease);
        if (stream === undefined) return;
        stream.epoch += 1;
        stream.tenure = undefined;
      }),
    keepSnapshot: (lease, snapshot) =>
      group.now(() => {
        const stream = heldBy(lease);
        if (stream !== undefined) stream.snapshot = { ...snapshot };
        return stream !== undefined;
      }),
    snapshot: (stream) => streams.get(stream)?.snapshot,
    post: (id, item) =>
      group.now(() => {
        const { inbox } = known(id);
        if (inbox.has(item.id)) return false;
        inbox.set(item.id, { item: { ...item } });
        return true;
      }),
    inbox: (id) => {
      const posted = [...(streams.get(id)?.inbox.values() ?? [])];
      return posted.filter(({ answer }) => answer === undefined).map(({ item }) => item);
    },
    answer: (id, item) => streams.get(id)?.inbox.get(item)?.answer,
    keepOutcomes: (id, text) => group.now(() => keepNewest(memory.outcomes, id, text, MOST_OUTCOMES)),
    outcomes: () => [...memory.outcomes.values()].reverse(),
    keepNote: (id, text) => group.now(() => keepNewest(memory.notes, id, text, MOST_NOTES)),
    note: (id) => memory.notes.get(id),
    keepLogs: (id, lines) =>
      group.later(() => {
        const kept = streams.get(id)?.logs;
        for (const line of lines) kept?.push({ ...line, number: kept.length + 1 });
      }),
    logs: (id, query = {}) => chosenLogs(streams.get(id)?.logs ?? [], query),
    logTotals: (id) => totalsOf(streams.get(id)?.logs ?? []),
    remove: (ids, now) =>
      group.now(() =>
        ids.filter((id) => {
          const tenure = streams.get(id)?.tenure;
          return (tenure === undefined || !isHeld(tenure, now, fateOf)) && streams.delete(id);
        }),
      ),
    sweep: () => group.now(() => sweep(memory)),
    changed,
    check: () => [],
    close: async () => group.close(),
  };
}

function keepSummaries(streams: Memory['streams'], summaries: readonly KeptSummary[]): void {
  for (const { stream, version, summary } of summaries) {
    const kept = streams.get(stream);
    if (kept?.entries.length === version) kept.summary = summary;
  }
}

function totalsOf(logs: readonly KeptLogRow[]): LogTotals {
  const characters = logs.reduce((sum, each) => sum + each.message.length + each.data.length, 0);
  return { lines: logs.length, characters };
}

function sweep({ streams, blobs }: Memory): number {
  const used = new Set(
    [...streams.values()].flatMap(({ entries }) => entries.flatMap(({ payload }) => digestsIn(payload))),
  );
  const unused = [...blobs.keys()].filter((digest) => !used.has(digest));
  for (const digest of unused) blobs.delete(digest);
  return unused.length;
}

function chosenLogs(kept: readonly KeptLogRow[], query: LogRowQuery): readonly KeptLogRow[] {
  const { steps, attempt, severity = 0, after = 0, before = Number.POSITIVE_INFINITY } = query;
  const { until = Number.POSITIVE_INFINITY, most = Number.POSITIVE_INFINITY, last = false } = query;
  const chosen = kept.filter(
    (line) =>
      line.number > after &&
      line.number < before &&
      line.at <= until &&
      line.severity >= severity &&
      (steps?.includes(line.origin.step) ?? true) &&
      (attempt === undefined || line.origin.attempt === attempt),
  );
  return last ? chosen.slice(Math.max(0, chosen.length - most)) : chosen.slice(0, most);
}

function keepNewest(texts: Map<string, string>, id: string, text: string, most: number): void {
  texts.delete(id);
  texts.set(id, text);
  for (const oldest of [...texts.keys()].slice(0, -most)) texts.delete(oldest);
}

/** Commits groups of writes, and tells whether another journal has committed to the same memory. */
function commitsTo(memory: Memory): { readonly group: Group; changed(): boolean } {
  let commitsKnown = memory.commits;
  let commitsOfOthers = false;
  const group = groupCommit((writes) => {
    commitsOfOthers ||= memory.commits !== commitsKnown;
    for (const write of writes) {
      try {
        write.perform();
      } catch (error) {
        write.refuse(error);
      }
    }
    memory.commits += 1;
    commitsKnown = memory.commits;
  });
  return {
    group,
    changed() {
      const changed = commitsOfOthers || memory.commits !== commitsKnown;
      commitsOfOthers = false;
      commitsKnown = memory.commits;
      return changed;
    },
  };
}

function newStream({ id, title, createdAt }: NewStream, tenure: Tenure): Stream {
  return {
    created: { id, title, createdAt },
    entries: [],
    inbox: new Map(),
    logs: [],
    epoch: FIRST_EPOCH,
    status: '',
    summary: '{}',
    tenure,
  };
}

function acquireFor(
  stream: Stream,
  holder: Holder,
  now: Instant,
  ttl: Duration,
  fateOf: FateOf,
): Result<Lease, Tenure> {
  if (stream.tenure !== undefined && !mayTake(stream.tenure, holder, now, fateOf)) return bad(stream.tenure);
  stream.epoch += 1;
  stream.tenure = { holder, until: now + ttl };
  return good({ stream: stream.created.id, epoch: stream.epoch, holder });
}

function appendTo(stream: Stream, append: Append, blobs: Map<string, string>): void {
  refuseUnlessFits(append, { version: stream.entries.length, epoch: stream.epoch });
  for (const entry of append.entries) stream.entries.push(entry);
  for (const blob of append.blobs) if (!blobs.has(blob.digest)) blobs.set(blob.digest, blob.text);
  for (const { id, answer } of append.taken ?? []) {
    const posted = stream.inbox.get(id);
    if (posted !== undefined) posted.answer ??= answer;
  }
  stream.status = append.status ?? stream.status;
  stream.summary = append.summary ?? stream.summary;
}

function headerOf(stream: Stream): StreamHeader {
  return {
    ...stream.created,
    version: stream.entries.length,
    status: stream.status,
    summary: stream.summary,
    ...defined({ holder: stream.tenure?.holder, heldUntil: stream.tenure?.until }),
  };
}
