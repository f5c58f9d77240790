// Strategy `selective`: shows only needs; all other results appear in the index.
import { fitPacket } from '../fitting/fit-packet.ts';
import { sourcesOf } from '../source.ts';
import type { Strategy } from './strategy.ts';

export const selective: Strategy = {
  name: 'selective',
  assemble: (request, needs) => fitPacket(request, needs, { all: sourcesOf(request), near: [], older: [] }),
};
