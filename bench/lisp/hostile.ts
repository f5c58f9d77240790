// Hostile programs by name, with their intent. Each engine provides them in its language.
import type { Data } from './engine.ts';

export const hostilePrograms: Readonly<Record<string, string>> = {
  'endless loop': 'never ends, takes no memory',
  'endless recursion': 'calls itself until the stack ends',
  'endless sequence': 'counts what has no end',
  'huge range': 'adds up a thousand million numbers',
  'nested loops': 'a million million turns over a list of a thousand',
  'string growth': 'doubles a string for ever',
  'list growth': 'doubles a list for ever, or nests lists into a thousand million elements',
  'nested data': 'a tree of ten to the twentieth leaves that shares its branches, printed',
  'deep data': 'ten thousand lists, each in the next, compared',
  'deep source': 'a hundred thousand open brackets',
  'huge number': 'a number of ninety thousand digits',
  'wide format': 'pads to a thousand million columns',
  'regex backtracking': 'a pattern that takes exponential time to fail',
  'regex on long text': 'a pattern that fails slowly, on half a million characters',
  'json bomb': 'a hundred thousand open brackets, parsed as JSON at run time',
  'prototype reach': "from data to the host's constructors",
};

/** Each list has a thousand items. */
export const hostileData: Data = {
  result: { title: 'a chair', price: 12, items: Array.from({ length: 1_000 }, (_, i) => i) },
  depends: {},
};
