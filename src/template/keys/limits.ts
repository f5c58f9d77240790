// The key `limits`: bounds of single values and evaluations, which nothing uses up. Absent limits of Lisp are the defaults of the language.
import { readKeys } from './key.ts';
import { count, duration, map, size } from './kinds.ts';

const lispKeys = {
  fuel: size('The most units of work.').shows(100_000),
  cells: size('The most memory cells.'),
  depth: count('The deepest nesting of calls.', 1),
  text: size('The most characters of one text.'),
  output: size('The most characters of a value that is converted to JSON or EDN.'),
  nesting: count('The deepest nesting of brackets in the source.', 1),
  source: size('The most characters of the source.'),
  deadline: duration('The most time, as a last resort; the limit of fuel normally ends an evaluation earlier.').shows(
    '1s',
  ),
};

const limitsKeys = {
  lisp: map('The limits of one Lisp evaluation.', lispKeys).orElse({}),
  result_bytes: size('The most characters of JSON in one result.').or('10M'),
  max_turns: count(
    'The most answers of the model for one attempt of any agent; an agent with a higher `max_turns` gets this many.',
    1,
  ),
  step_timeout: duration(
    'The time limit of one attempt of a planned step: the default of planned steps without `timeout`, and the most of all others.',
  ),
};

export const limits = map('Bounds of single values and evaluations; nothing uses them up.', limitsKeys).orElse(
  readKeys(limitsKeys, {}),
);
