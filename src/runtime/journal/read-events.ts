// Reads the events of a run from its journal, and reports a journal that was damaged or altered.
import { Fault } from '../../base/fault.ts';
import { type Issue, issue } from '../../base/issue.ts';
import { bad, type Result } from '../../base/result.ts';
import { decode } from '../../engine/codec/event-codec.ts';
import type { Recorded } from '../../engine/record/event.schema.ts';
import type { Journal } from '../../store/journal.ts';
import { StoreRefused } from '../../store/store-refused.ts';

/** The position of a reader in the events of a run. */
export interface ReadPosition {
  /** The version of the last event that was read without an error. */
  version: number;
}

/** The number of entries to read at a time. Small pages are freed early, which keeps garbage collection cheap. */
const PAGE = 2_000;

/** The events after version `from`, in order. @throws Fault when one is missing */
export function* eventsOfRun(journal: Journal, run: string, position: ReadPosition, from = 0): Generator<Recorded> {
  position.version = from;
  for (let after = from; ; after += PAGE) {
    const page = journal.read(run, after, PAGE);
    for (const entry of page) {
      if (entry.version !== position.version + 1) throw new Fault(`event ${position.version + 1} is missing`);
      yield decode(entry);
      position.version = entry.version;
    }
    if (page.length < PAGE) return;
  }
}

/** Passes events on, and notes the version of each one after its consumer has accepted it. */
export function* trackingPosition(events: Iterable<Recorded>, position: ReadPosition): Generator<Recorded> {
  position.version = 0;
  for (const recorded of events) {
    yield recorded;
    position.version = recorded.version;
  }
}

/** Calls `read`. Issues: those of `read`, and RUN_DAMAGED when it throws: the program can read everything that it writes. */
export function unlessDamaged<T>(run: string, read: (position: ReadPosition) => Result<T>): Result<T> {
  const position: ReadPosition = { version: 0 };
  try {
    return read(position);
  } catch (error) {
    return bad([damagedRun(run, position, error)]);
  }
}

/** Turns an error while a run was read into RUN_DAMAGED. @throws StoreRefused, which is about the store and not the run */
export function damagedRun(run: string, { version }: ReadPosition, error: unknown): Issue {
  if (error instanceof StoreRefused) throw error;
  const why = error instanceof Error ? error.message : String(error);
  return issue('RUN_DAMAGED', `run ${run} cannot be read behind its event ${version}: ${why}`, {
    hint: 'restore a copy of the store; reconverge doctor lists all damage',
  });
}
