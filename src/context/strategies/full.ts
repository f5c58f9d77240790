// Strategy `full`: shows every result verbatim, or fails with an issue.
import { bad, good } from '../../base/result.ts';
import { packetOf } from '../body.ts';
import { resultsByDistance } from '../fitting/packet-results.ts';
import { wholeSections } from '../fitting/sections.ts';
import { tokensOfChoices } from '../fitting/tokens-of-choices.ts';
import { overAllowance } from '../over-allowance.ts';
import { sourcesOf } from '../source.ts';
import type { Strategy } from './strategy.ts';

export const full: Strategy = {
  name: 'full',
  assemble(request, needs) {
    const stock = resultsByDistance(sourcesOf(request), needs);
    const packet = packetOf(request, needs, wholeSections(request, needs, stock));
    const tokens = packet.tokens - tokensOfChoices(needs.served);
    if (tokens <= request.maxTokens) return good(packet);
    const hint = 'raise context.max_tokens, or let context.strategy be contract, which shrinks results to fit';
    const what = 'the results, shown in full as context.strategy asks,';
    return bad([overAllowance(what, tokens, request.maxTokens, hint)]);
  },
};
