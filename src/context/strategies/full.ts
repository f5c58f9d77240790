// Strategy `full`: every result verbatim, or an issue; never a silent cut.
import { bad, good } from '../../base/result.ts';
import { verbatim } from '../body.ts';
import { overAllowance, type Strategy } from './strategy.ts';

export const full: Strategy = {
  name: 'full',
  assemble(request) {
    const packet = verbatim(request);
    if (packet.tokens <= request.maxTokens) return good(packet);
    const hint = 'raise context.max_tokens, or let context.strategy be contract, which shrinks results to fit';
    return bad([overAllowance('the results, shown in full as context.strategy asks,', packet.tokens, request, hint)]);
  },
};
