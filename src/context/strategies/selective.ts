// Strategy `selective`: only what is asked for by name; everything else stands in the index.
import { fitted } from '../fitting/fitted.ts';
import { sourcesOf } from '../source.ts';
import type { Strategy } from './strategy.ts';

export const selective: Strategy = {
  name: 'selective',
  assemble: (request, needs) => fitted(request, needs, { all: sourcesOf(request), near: [], older: [] }),
};
