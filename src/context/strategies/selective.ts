// Strategy `selective`: shows only needs; all other results appear in the index.
import { fitted } from '../fitting/fit-packet.ts';
import { sourcesOf } from '../source.ts';
import type { Strategy } from './strategy.ts';

export const selective: Strategy = {
  name: 'selective',
  assemble: (request, needs) => fitted(request, needs, { all: sourcesOf(request), near: [], older: [] }),
};
