// Strategy `contract`: every result as its output contract weighs it, within the allowance.
import { bad, good } from '../../base/result.ts';
import { packetOf, type Sections, wholeSections } from '../body.ts';
import { pricing } from '../fitting/price.ts';
import { type Roomy, sectionsIn } from '../fitting/sections.ts';
import { SMALL } from '../fitting/tier.ts';
import { sourcesOf } from '../source.ts';
import { overAllowance, type Strategy } from './strategy.ts';

/** The rooms tried, in bytes, are 0 and a series that grows by this; the same for every allowance. */
const FIRST_ROOM = 64;
const GROWTH = 1.04;

export const contract: Strategy = {
  name: 'contract',
  assemble(request) {
    const { maxTokens } = request;
    const sources = sourcesOf(request);
    const priceOf = pricing(request);
    const fits = (sections: Sections) => priceOf(sections) <= maxTokens;
    const isSmall = sources.every(({ weight }) => weight.bytes < SMALL);
    // Small results have no views to measure: whether all of them fit is soon known.
    const verbatim = isSmall ? wholeSections(request, sources) : undefined;
    if (verbatim !== undefined && fits(verbatim)) return good(packetOf(request, verbatim));
    const roomy = sectionsIn(request, sources);
    const whole = verbatim ?? roomy.show(roomy.most);
    const chosen = fits(whole) ? whole : roomiest(roomy, fits);
    if (fits(chosen)) return good(packetOf(request, chosen));
    const hint = 'raise context.max_tokens, or hand large inputs over by path';
    const what = 'the problem and its surroundings, without any result,';
    return bad([overAllowance(what, priceOf(chosen), request, hint)]);
  },
};

/**
 * The roomiest below the whole that fits, or what is shown without room. Rooms are tried in an order that does not
 * depend on the allowance, and a larger allowance passes each trial that a smaller one passes, so it never ends with
 * less room, however tokens are counted.
 */
function roomiest({ most, show }: Roomy, fits: (sections: Sections) => boolean): Sections {
  let best: Sections | undefined;
  let low = 0;
  let high = Math.ceil(Math.log(Math.max(1, most / FIRST_ROOM)) / Math.log(GROWTH)) + 2;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    const tried = show(Math.round(FIRST_ROOM * GROWTH ** (middle - 1)));
    if (fits(tried)) [low, best] = [middle, tried];
    else high = middle;
  }
  return best ?? show(0);
}
