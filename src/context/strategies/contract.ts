// Strategy `contract`: every result as its output contract weighs it, within the allowance.
import { bad, good } from '../../base/result.ts';
import { packetOf, type Sections, wholeSections } from '../body.ts';
import { pricing } from '../fitting/price.ts';
import { roomiest } from '../fitting/roomiest.ts';
import { sectionsIn } from '../fitting/sections.ts';
import { SMALL } from '../fitting/tier.ts';
import { sourcesOf } from '../source.ts';
import { overAllowance, type Strategy } from './strategy.ts';

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
