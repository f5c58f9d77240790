// The schema of a run in a list of runs, as commands and the inspector send it.
import { count, flag, list, map, number, optional, record, type Schema, text } from '../../base/builders.schema.ts';
import { gateKind } from '../../engine/record/gate-events.schema.ts';
import { amount, partial } from '../shown.schema.ts';
import type { RunSummary } from './run-summary.ts';

export const runSummary: Schema<RunSummary> = map({
  id: text('The id of the run.'),
  template: text('The name of its template.'),
  parent: optional(text('The run whose step started it.')),
  parentStep: optional(text('That step.')),
  forked: optional(
    map({ from: text(), at: count('The last event that both runs have.') }, 'The run that it was forked from.'),
  ),
  children: optional(list(text(), 'The runs that its steps started.')),
  forks: optional(list(text(), 'The runs that were forked from it.')),
  status: text('The status; `interrupted`: no process drives it.'),
  partial,
  createdAt: count('Milliseconds since 1970.'),
  updatedAt: optional(count('The time of its last event, in milliseconds since 1970.')),
  endedAt: optional(count('Milliseconds since 1970.')),
  driven: flag('A live process drives it.'),
  gates: count('The number of open gates.'),
  question: optional(
    map(
      { gate: text("The gate's id."), kind: gateKind, step: text('The step that asks.'), prompt: text() },
      'The oldest open question; the prompt is cut after 160 characters.',
    ),
  ),
  steps: optional(record(count(), 'The number of steps by status; absent: the run cannot be read.')),
  failed: optional(count('The number of steps that failed by themselves.')),
  failure: optional(map({ code: text(), message: text() }, 'The failure that ended the run.')),
  elapsed: optional(number('The seconds in which the run worked, up to its last event.')),
  spent: amount('The steps, phases and dollars that were used.'),
  limit: amount('The limits of steps, phases and dollars.'),
});
