// Finds the ends of batches in a journal: a run can be forked only there.
import type { Recorded } from '../record/event.schema.ts';

/** The versions after which a batch has certainly ended, in order; the last one is among them. */
export function batchEnds(events: readonly Recorded[]): readonly number[] {
  const ends: number[] = [];
  /** Steps whose latest event started an attempt. */
  const begun = new Set<string>();
  let before: Recorded | undefined;
  for (const recorded of events) {
    if (before !== undefined && begins(recorded, before, begun)) ends.push(before.version);
    const { event } = recorded;
    if (event.type === 'attempt.started' || event.type === 'attempt.resumed') begun.add(event.step);
    else if ('step' in event && event.step !== undefined) begun.delete(event.step);
    before = recorded;
  }
  return before === undefined ? ends : [...ends, before.version];
}

/** The first batch end at `version` or later. */
export function nextBatchEnd(events: readonly Recorded[], version: number): number {
  return batchEnds(events).find((end) => end >= version) ?? events.length;
}

/** Whether an event certainly begins a batch: its instant is later, or only a command writes such an event. */
function begins({ at, cause, event }: Recorded, before: Recorded, begun: ReadonlySet<string>): boolean {
  if (at > before.at || cause === 0) return true;
  switch (event.type) {
    case 'attempt.started':
      return event.delivery === undefined;
    case 'plan.proposed':
      return true;
    case 'call.ended':
      // A look-up ends in the batch that starts it.
      return before.event.type !== 'call.started';
    case 'step.completed':
    case 'verification.failed':
      // A performer brought this outcome. A step that asks models or people writes other events in between.
      return begun.has(event.step);
    default:
      return false;
  }
}
