// Strategy `contract`: every result as its output contract weighs it, within the allowance.
import { fitted } from '../fitting/fitted.ts';
import { stocked } from '../fitting/stock.ts';
import { sourcesOf } from '../source.ts';
import type { Strategy } from './strategy.ts';

export const contract: Strategy = {
  name: 'contract',
  assemble: (request, needs) => fitted(request, needs, stocked(sourcesOf(request), needs)),
};
