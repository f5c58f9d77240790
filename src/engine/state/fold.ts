// Folds a journal into a run's state.
import type { Template } from '../../template/template.ts';
import type { Recorded } from '../record/event.schema.ts';
import { evolve } from './evolve.ts';
import { newState, type RunState } from './state.ts';

/** What followed from each batch stands in the journal behind it, so nothing is left to follow here. */
export function fold(template: Template, events: Iterable<Recorded>): RunState {
  return foldOn(newState(template), events);
}

/** Folds what came after into a state, which it alters and answers. */
export function foldOn(state: RunState, events: Iterable<Recorded>): RunState {
  for (const recorded of events) {
    evolve(state, recorded);
    state.consequences.length = 0;
  }
  return state;
}
