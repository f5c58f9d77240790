// Strategy `hierarchical`: shows the nearest phase by contract, and every older phase in outlines of one size.
import { fitted } from '../fitting/fitted.ts';
import { stocked } from '../fitting/stock.ts';
import { outlineView } from '../shelf/tier.ts';
import { sourcesOf } from '../source.ts';
import type { Strategy } from './strategy.ts';

export const hierarchical: Strategy = {
  name: 'hierarchical',
  assemble: (request, needs) => fitted(request, needs, stocked(sourcesOf(request), needs, outlineView)),
};
