// Strategy `contract`: shows every result, shrunk by its output contract to the allowance.
import { fitted } from '../fitting/fit-packet.ts';
import { stocked } from '../fitting/packet-results.ts';
import { sourcesOf } from '../source.ts';
import type { Strategy } from './strategy.ts';

export const contract: Strategy = {
  name: 'contract',
  assemble: (request, needs) => fitted(request, needs, stocked(sourcesOf(request), needs)),
};
