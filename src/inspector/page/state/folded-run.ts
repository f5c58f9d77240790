// The events of a run and its state after any event, folded by the engine's own code.
import { templateFrom } from '../../../engine/codec/template-codec.ts';
import type { Recorded } from '../../../engine/record/event.schema.ts';
import { evolve } from '../../../engine/state/evolve.ts';
import type { RunView } from '../../../engine/state/run-view.ts';
import { newState } from '../../../engine/state/state.ts';
import type { Template } from '../../../template/template.ts';
import { newTimes, type RunTimes, recordTimes } from '../../../view/times/run-times.ts';

export interface FoldedRun {
  readonly events: readonly Recorded[];
  readonly version: number;
  /** The times of all events that `latest` has folded; always the same object, which changes as events arrive. */
  readonly times: RunTimes;
  /** Skips events that it already has. */
  add(events: readonly Recorded[]): void;
  /** The state after all events; always the same object, which changes as events arrive. */
  latest(): RunView;
  /** The state after the event of this version; a later call may change the same object. */
  at(version: number): RunView;
}

export function createFoldedRun(templateText: string): FoldedRun {
  const template = templateFrom(templateText);
  const events: Recorded[] = [];
  const times = newTimes();
  const latest = foldOf(template, events, (recorded, state) => recordTimes(times, recorded, state));
  const earlier = foldOf(template, events);
  return {
    events,
    times,
    get version() {
      return events.length;
    },
    add(more) {
      for (const event of more) if (event.version === events.length + 1) events.push(event);
    },
    latest: () => latest(events.length),
    at: (version) => earlier(Math.min(version, events.length)),
  };
}

/** Moving forward continues the last fold; moving back folds again from the beginning. */
function foldOf(
  template: Template,
  events: readonly Recorded[],
  record?: (recorded: Recorded, state: RunView) => void,
): (version: number) => RunView {
  let state = newState(template);
  let done = 0;
  return (version) => {
    if (version < done) {
      state = newState(template);
      done = 0;
    }
    for (; done < version; done++) {
      const recorded = events[done];
      if (recorded === undefined) continue;
      evolve(state, recorded);
      state.consequences.length = 0;
      record?.(recorded, state);
    }
    return state;
  };
}
