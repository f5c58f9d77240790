// The schema of a run in a list of runs, as commands and the inspector send it.
import { count, flag, map, optional, type Schema, text } from '../../base/builders.schema.ts';
import { amount, partial } from '../../view/shown.schema.ts';
import type { RunSummary } from './run-record.ts';

export const runSummary: Schema<RunSummary> = map({
  id: text('The id of the run.'),
  template: text('The name of its template.'),
  parent: optional(text('The run whose step started it.')),
  status: text('The status; `interrupted`: no process drives it.'),
  partial,
  createdAt: count('Milliseconds since 1970.'),
  driven: flag('A live process drives it.'),
  gates: count('The number of open gates.'),
  spent: amount('The steps, phases and dollars that were used.'),
  limit: amount('The limits of steps, phases and dollars.'),
});
