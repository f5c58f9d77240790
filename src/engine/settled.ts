// Where in a journal nothing of a batch is outstanding: only there can a run be taken apart from what followed.
import type { Recorded } from './event.ts';

/** The first version from `version` on after which a batch has ended; the last one at most. */
export function settledFrom(events: readonly Recorded[], version: number): number {
  const next = events.slice(version).find((recorded, place) => begins(recorded, events[version + place - 1]));
  return next === undefined ? events.length : next.version - 1;
}

/** Whether a batch certainly begins with it: instants differ, or only a command brings such an event. */
function begins({ at, cause, event }: Recorded, before: Recorded | undefined): boolean {
  if (before === undefined || at > before.at || cause === 0) return true;
  switch (event.type) {
    case 'attempt.started':
      return event.delivery === undefined;
    case 'plan.proposed':
      return true;
    case 'call.ended':
      // A look-up is answered at once.
      return before.event.type !== 'call.started';
    default:
      return false;
  }
}
