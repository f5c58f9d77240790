// Reads runs from their journals: one run in full, or its state alone.
import { Fault, present } from '../../base/fault.ts';
import { type Issue, issue } from '../../base/issue.ts';
import { didYouMean } from '../../base/nearest.ts';
import type { Instant } from '../../base/quantity.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { decode } from '../../engine/codec/event-codec.ts';
import { templateFrom } from '../../engine/codec/template-codec.ts';
import type { Recorded } from '../../engine/record/event.schema.ts';
import type { FinishedWork } from '../../engine/record/run-events.schema.ts';
import { finishedWorkOf } from '../../engine/repair/finished-calls.ts';
import { fold, foldOn } from '../../engine/state/fold.ts';
import { newState, type RunState } from '../../engine/state/state.ts';
import { fateOf } from '../../store/holder.ts';
import type { Journal, StreamHeader } from '../../store/journal.ts';
import { isHeld } from '../../store/lease.ts';
import type { Template } from '../../template/template.ts';
import type { RunRecord } from '../api/run-record.ts';
import { eventsOfRun, trackingPosition, unlessDamaged } from './read-events.ts';
import { familyOf, rootOf } from './run-family.ts';
import { lastState, readable } from './snapshots.ts';

/** The id of a run, given its id, a unique beginning of its id, or `latest`. Issues: RUN_UNKNOWN, RUN_AMBIGUOUS. */
export function findRun(journal: Journal, named: string): Result<string> {
  const streams = journal.streams();
  const known = streams.map(({ id }) => id);
  if (named === 'latest') {
    // Child runs are parts of their parent run.
    const latest = streams.find((header) => familyOf(header).parent === undefined)?.id;
    return latest === undefined
      ? bad([issue('RUN_UNKNOWN', 'there is no run yet', { hint: 'start one: reconverge run TEMPLATE' })])
      : good(latest);
  }
  if (known.includes(named)) return good(named);
  const meant = known.filter((id) => named !== '' && id.startsWith(named));
  const [only] = meant;
  if (only !== undefined && meant.length === 1) return good(only);
  if (meant.length > 1) {
    return bad([
      issue('RUN_AMBIGUOUS', `${meant.length} runs begin with "${named}"`, {
        hint: `choose from ${meant.slice(0, 5).join(', ')}`,
      }),
    ]);
  }
  const hint = didYouMean(named, known) ?? 'list them: reconverge runs';
  return bad([issue('RUN_UNKNOWN', `there is no run "${named}" in this store`, { hint })]);
}

/** The record with the folded state, which callers hand out as a view. */
export function readRun(
  journal: Journal,
  named: string,
  now: Instant,
): Result<RunRecord & { readonly state: RunState }> {
  const found = findRun(journal, named);
  if (!found.ok) return found;
  const run = found.value;
  return unlessDamaged(run, (position) => {
    const events = [...eventsOfRun(journal, run, position)];
    const template = templateOf(journal, events[0]);
    if (template === undefined) return bad([empty(run)]);
    const header = journal.header(run);
    const driven = header !== undefined && isDriven(header, now);
    return good({
      ...{
        root: rootOf(journal, run),
        state: fold(template, trackingPosition(events, position)),
        events,
        template,
        driven,
      },
      blob: (digest) => journal.blob(digest),
      snapshot: () => readable(journal, run),
    });
  });
}

/** Folds the events after the last snapshot, without keeping them. Issues: RUN_EMPTY, RUN_DAMAGED. */
export function readState(journal: Journal, run: string): Result<RunState> {
  return unlessDamaged(run, (position) => {
    const [first] = journal.read(run, 0, 1);
    const template = templateOf(journal, first && decode(first));
    if (template === undefined) return bad([empty(run)]);
    const state = lastState(journal, run, template) ?? newState(template);
    return good(foldOn(state, eventsOfRun(journal, run, position, state.version)));
  });
}

/** The finished work of a run, for another run to take over. Issues: RUN_UNKNOWN, RUN_AMBIGUOUS, RUN_EMPTY, RUN_DAMAGED. */
export function finishedIn(journal: Journal, named: string): Result<readonly FinishedWork[]> {
  const found = findRun(journal, named);
  if (!found.ok) return found;
  const read = readState(journal, found.value);
  return read.ok ? good(finishedWorkOf(read.value)) : read;
}

function templateOf(journal: Journal, first: Recorded | undefined): Template | undefined {
  if (first === undefined) return undefined;
  if (first.event.type !== 'run.started') throw new Fault('its first event is not run.started');
  return templateFrom(present(journal.blob(first.event.template), 'its template'));
}

function empty(run: string): Issue {
  return issue('RUN_EMPTY', `run ${run} was never started`, {
    hint: 'start it again: its process ended before the first event was written',
  });
}

/** True when a process holds the run's lease and is not known to have ended. */
export function isDriven({ holder, heldUntil }: StreamHeader, now: Instant): boolean {
  return holder !== undefined && heldUntil !== undefined && isHeld({ holder, until: heldUntil }, now, fateOf);
}
