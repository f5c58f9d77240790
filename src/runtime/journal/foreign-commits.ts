// Tells each run of this process when another process has written to a journal.
import type { Journal } from '../../store/journal.ts';

const counts = new WeakMap<Journal, { count: number }>();

/** Each call of the result tells whether another process has written since the last call; the first call is always true. */
export function foreignCommits(journal: Journal): () => boolean {
  const shared = counts.get(journal) ?? { count: 0 };
  counts.set(journal, shared);
  let seen = -1;
  return () => {
    if (journal.changed()) shared.count += 1;
    const isNew = shared.count > seen;
    seen = shared.count;
    return isNew;
  };
}
