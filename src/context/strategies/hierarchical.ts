// Strategy `hierarchical`: shows the nearest phase by contract, and every older phase in outlines of one size.
import { fitPacket } from '../fitting/fit-packet.ts';
import { resultsByDistance } from '../fitting/packet-results.ts';
import { outlineView } from '../shelf/tier.ts';
import { sourcesOf } from '../source.ts';
import type { Strategy } from './strategy.ts';

export const hierarchical: Strategy = {
  name: 'hierarchical',
  assemble: (request, needs) => fitPacket(request, needs, resultsByDistance(sourcesOf(request), needs, outlineView)),
};
