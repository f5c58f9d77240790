// Strategy `full`: every result verbatim, or an issue; never a silent cut.
import { bad, good } from '../../base/result.ts';
import { packetOf, wholeSections } from '../body.ts';
import { sourcesOf } from '../source.ts';
import { overAllowance, type Strategy } from './strategy.ts';

export const full: Strategy = {
  name: 'full',
  assemble(request) {
    const packet = packetOf(request, wholeSections(request, sourcesOf(request)));
    if (packet.tokens <= request.maxTokens) return good(packet);
    const hint = 'raise context.max_tokens, or let context.strategy be contract, which shrinks results to fit';
    const what = 'the results, shown in full as context.strategy asks,';
    return bad([overAllowance(what, packet.tokens, request, hint)]);
  },
};
