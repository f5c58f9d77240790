// What other processes have written to a journal: each who follows it here hears of it, whoever of them asks first.
import type { Journal } from '../../store/journal.ts';

const counts = new WeakMap<Journal, { count: number }>();

/** Whether another process has written since this was last asked, the first time included. */
export function changesOf(journal: Journal): () => boolean {
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
