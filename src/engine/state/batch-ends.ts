// Where in a journal nothing of a batch is outstanding: only there can a run be taken apart from what followed.
import type { Recorded } from '../record/event.schema.ts';

/** The versions after which a batch has certainly ended, in order; the last one is among them. */
export function batchEnds(events: readonly Recorded[]): readonly number[] {
  const ends: number[] = [];
  /** Steps of which the last that was heard is that an attempt has begun. */
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

/** The first version from `version` on after which a batch has ended. */
export function nextBatchEnd(events: readonly Recorded[], version: number): number {
  return batchEnds(events).find((end) => end >= version) ?? events.length;
}

/** Whether a batch certainly begins with it: instants differ, or only a command brings such an event. */
function begins({ at, cause, event }: Recorded, before: Recorded, begun: ReadonlySet<string>): boolean {
  if (at > before.at || cause === 0) return true;
  switch (event.type) {
    case 'attempt.started':
      return event.delivery === undefined;
    case 'plan.proposed':
      return true;
    case 'call.ended':
      // A look-up is answered at once.
      return before.event.type !== 'call.started';
    case 'step.completed':
    case 'verification.failed':
      // A performer has brought it; what asks models or people is heard of in between.
      return begun.has(event.step);
    default:
      return false;
  }
}
