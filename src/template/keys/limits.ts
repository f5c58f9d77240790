// Keys of `limits`: bounds that are not spent. Limits of Lisp that are not written are the language's own.
import { readKeys } from './key.ts';
import { count, duration, map, size } from './kinds.ts';

const lispKeys = {
  fuel: size('Units of work.').shows(100_000),
  cells: size('Slots of memory.'),
  depth: count('Nested calls.', 1),
  text: size('Characters of one text.'),
  output: size('Characters of a value that is written out.'),
  nesting: count('Nested brackets in the source.', 1),
  source: size('Characters of the source.'),
  deadline: duration('The last guard.').shows('1s'),
};

const limitsKeys = {
  lisp: map('Limits of one evaluation of Lisp.', lispKeys).orElse({}),
  result_bytes: size('How large one result may be.').or('10M'),
};

export const limits = map('Limits that are not spent.', limitsKeys).orElse(readKeys(limitsKeys, {}));
