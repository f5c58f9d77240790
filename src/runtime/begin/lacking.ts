// What the runs lack that a run has started and that are under way: it would go on, and they could not.
import type { Issue } from '../../base/issue.ts';
import type { Result } from '../../base/result.ts';
import { childUnderWay, stepsWithChild } from '../../engine/state/child-run.ts';
import type { RunState } from '../../engine/state/state.ts';
import type { Journal } from '../../store/journal.ts';
import { readState } from '../journal/read-run.ts';

/** `needed`: what one of them needs, or why it cannot be had. */
export async function lackingIn(
  journal: Journal,
  state: RunState,
  needed: (state: RunState) => Promise<Result<unknown>>,
): Promise<readonly Issue[]> {
  const children = stepsWithChild(state).flatMap((step) => childUnderWay(state, step) ?? []);
  const found = children.map(async (child): Promise<readonly Issue[]> => {
    const read = readState(journal, child);
    if (!read.ok || read.value.status === 'ended') return [];
    const own = await needed(read.value);
    return [...(own.ok ? [] : own.error), ...(await lackingIn(journal, read.value, needed))];
  });
  return (await Promise.all(found)).flat();
}
