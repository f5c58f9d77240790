// Lists the runs of a store from the headers of their streams, and completes summaries that earlier versions wrote.
import { defined, type Json } from '../../base/json.ts';
import type { Duration, Instant } from '../../base/quantity.ts';
import type { Journal, KeptSummary, StreamHeader } from '../../store/journal.ts';
import { StoreRefused } from '../../store/store-refused.ts';
import type { RunSummary } from '../../view/runs/run-summary.ts';
import type { ListRunsOptions } from '../api/engine.ts';
import { stopwatch } from '../ports/clock.ts';
import { isDriven, readState } from './read-run.ts';
import { isIncomplete, readStreamSummary, streamSummary } from './stream-summary.ts';

export interface RunLister {
  /** Newest first. */
  list(now: Instant, options?: ListRunsOptions): readonly RunSummary[];
}

const PATIENCE: Duration = 100;
/** Summaries are kept in groups, because each commit waits for the disk. */
const GROUP = 100;

type ReadSummary = ReturnType<typeof readStreamSummary>;

interface ParsedSummary {
  readonly text: string;
  readonly read: ReadSummary;
  readonly isIncomplete: boolean;
}

export function runLister(journal: Journal): RunLister {
  let parsed = new Map<string, ParsedSummary>();
  /** Completed here; a store that cannot be written does not keep them. */
  const completed = new Map<string, { readonly version: number; readonly summary: string | undefined }>();

  /** Parses only what has changed since the last list. */
  function parse({ id, summary, version }: StreamHeader): ParsedSummary {
    const found = completed.get(id);
    const text = found?.version === version && found.summary !== undefined ? found.summary : summary;
    const known = parsed.get(id);
    if (known?.text === text) return known;
    const json = JSON.parse(text) as Json;
    return { text, read: readStreamSummary(json), isIncomplete: isIncomplete(json) };
  }

  function complete(headers: readonly StreamHeader[], now: Instant, { patience, onCompleted }: ListRunsOptions): void {
    const left = headers.filter((header) => {
      const { id, version } = header;
      return (
        version > 0 && completed.get(id)?.version !== version && parse(header).isIncomplete && !isDriven(header, now)
      );
    });
    if (left.length === 0) return;
    const began = stopwatch();
    let group: KeptSummary[] = [];
    for (const [index, { id, version }] of left.entries()) {
      if (index > 0 && stopwatch() - began >= (patience ?? PATIENCE)) break;
      const state = readState(journal, id);
      const summary = state.ok && state.value.version === version ? streamSummary(state.value) : undefined;
      completed.set(id, { version, summary });
      if (summary !== undefined) group.push({ stream: id, version, summary });
      if (group.length === GROUP) group = keep(journal, group);
      onCompleted?.(index + 1, left.length);
    }
    keep(journal, group);
  }

  return {
    list(now, options = {}) {
      const headers = journal.streams();
      complete(headers, now, options);
      parsed = new Map(headers.map((header) => [header.id, parse(header)]));
      return withRelatives(headers.map((header) => summaryOf(header, parse(header).read, now)));
    },
  };
}

/** A list is shown even if its figures cannot be kept. */
function keep(journal: Journal, group: readonly KeptSummary[]): [] {
  if (group.length === 0 || journal.readOnly === true) return [];
  try {
    journal.keepSummaries(group);
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error;
  }
  return [];
}

function summaryOf(header: StreamHeader, read: ReadSummary, now: Instant): RunSummary {
  const { id, title, createdAt, status } = header;
  const driven = isDriven(header, now);
  return {
    id,
    template: title,
    status: !driven && isMoving(status) ? 'interrupted' : status,
    createdAt,
    driven,
    ...read,
  };
}

/** True for a status in which a run needs a driver. */
function isMoving(status: string): boolean {
  return status === 'running' || status === 'cancelling';
}

/** Adds to each run its child runs and its forks. */
function withRelatives(runs: readonly RunSummary[]): readonly RunSummary[] {
  const oldestFirst = runs.toReversed();
  const idsBy = (origin: (run: RunSummary) => string | undefined): ReadonlyMap<string | undefined, string[]> => {
    const groups = Map.groupBy(oldestFirst, origin);
    groups.delete(undefined);
    return new Map([...groups].map(([from, group]) => [from, group.map(({ id }) => id)]));
  };
  const children = idsBy(({ parent }) => parent);
  const forks = idsBy(({ forked }) => forked?.from);
  if (children.size + forks.size === 0) return runs;
  return runs.map((run) => ({ ...run, ...defined({ children: children.get(run.id), forks: forks.get(run.id) }) }));
}
