// Reads the parent and the child runs of a run from the headers of their streams.
import { isJsonArray, type Json, ownProperty } from '../../base/json.ts';
import type { Journal, StreamHeader } from '../../store/journal.ts';

interface RunFamily {
  readonly parent?: string;
  /** The child runs that have not ended. */
  readonly children: readonly string[];
}

export function familyOf({ summary }: Pick<StreamHeader, 'summary'>): RunFamily {
  const read = JSON.parse(summary) as Json;
  const parent = ownProperty(read, 'parent');
  const children = ownProperty(read, 'children');
  return {
    ...(typeof parent === 'string' ? { parent } : {}),
    children: isJsonArray(children) ? children.filter((each) => typeof each === 'string') : [],
  };
}

/** The outermost run that waits for this run, directly or through others; a run that no step waits for is its own root. */
export function rootOf(journal: Journal, run: string): string {
  let root = run;
  for (let header = journal.header(root); header !== undefined; header = journal.header(root)) {
    const { parent } = familyOf(header);
    const above = parent === undefined ? undefined : journal.header(parent);
    if (above === undefined || !isWaitedFor(root, above)) return root;
    root = above.id;
  }
  return root;
}

function isWaitedFor(run: string, above: StreamHeader): boolean {
  return !ends.has(above.status) && familyOf(above).children.includes(run);
}

const ends: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);
const rests: ReadonlySet<string> = new Set(['waiting', 'paused']);

/** True when a run can go on: it was never begun, has ended, has orders in its inbox, or has a child run that can go on. */
export function stirs(journal: Journal, run: string): boolean {
  const header = journal.header(run);
  if (header === undefined || !rests.has(header.status)) return true;
  return journal.inbox(run).length > 0 || familyOf(header).children.some((each) => stirs(journal, each));
}
