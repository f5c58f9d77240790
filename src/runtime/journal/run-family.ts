// Parents and child runs, read from the headers of their streams.
import { isJsonArray, type Json, ownProperty } from '../../base/json.ts';
import type { Journal, StreamHeader } from '../../store/journal.ts';

interface Family {
  readonly parent?: string;
  /** Those that it has started and that are under way. */
  readonly children: readonly string[];
}

export function familyOf({ summary }: Pick<StreamHeader, 'summary'>): Family {
  const read = JSON.parse(summary) as Json;
  const parent = ownProperty(read, 'parent');
  const children = ownProperty(read, 'children');
  return {
    ...(typeof parent === 'string' ? { parent } : {}),
    children: isJsonArray(children) ? children.filter((each) => typeof each === 'string') : [],
  };
}

/** The run that has to be taken up for this one to go on: the first of those that have started each other and wait for it; mostly itself. */
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

/** Whether there is anything to be done in a run that has come to rest, or was never begun. */
export function stirs(journal: Journal, run: string): boolean {
  const header = journal.header(run);
  if (header === undefined || !rests.has(header.status)) return true;
  return journal.inbox(run).length > 0 || familyOf(header).children.some((each) => stirs(journal, each));
}
