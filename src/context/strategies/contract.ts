// Strategy `contract`: shows every result, shrunk by its output contract to the allowance.
import { fitPacket } from '../fitting/fit-packet.ts';
import { resultsByDistance } from '../fitting/packet-results.ts';
import { sourcesOf } from '../source.ts';
import type { Strategy } from './strategy.ts';

export const contract: Strategy = {
  name: 'contract',
  assemble: (request, needs) => fitPacket(request, needs, resultsByDistance(sourcesOf(request), needs)),
};
