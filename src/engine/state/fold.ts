// Folds a journal into a run's state.
import type { Template } from '../../template/template.ts';
import type { Recorded } from '../record/event.schema.ts';
import { evolve } from './evolve.ts';
import { newState, type RunState } from './state.ts';

/** Drops the consequences of each batch: the journal holds their events already. */
export function fold(template: Template, events: Iterable<Recorded>): RunState {
  return foldOn(newState(template), events);
}

/** Folds later events into a state, which it changes and returns. */
export function foldOn(state: RunState, events: Iterable<Recorded>): RunState {
  for (const recorded of events) {
    evolve(state, recorded);
    state.consequences.length = 0;
  }
  return state;
}
