// Strategy `contract`: every result as its output contract weighs it, within the allowance.
import { bad, good } from '../../base/result.ts';
import { type Choice, packetOf, stepsOf, verbatim } from '../body.ts';
import type { PacketRequest } from '../request.ts';
import { overAllowance, type Strategy } from './strategy.ts';

export const contract: Strategy = {
  name: 'contract',
  assemble(request) {
    const whole = verbatim(request);
    if (whole.tokens <= request.maxTokens) return good(whole);
    const packet = packetOf(request, nearestThatFit(request));
    if (packet.tokens <= request.maxTokens) return good(packet);
    const hint = 'raise context.max_tokens, or hand large inputs over by path';
    return bad([overAllowance('the problem and its surroundings', packet.tokens, request, hint)]);
  },
};

function nearestThatFit(request: PacketRequest): readonly Choice[] {
  const records = stepsOf(request).filter(({ result }) => result !== undefined);
  const none = records.map((record): Choice => ({ record, shown: 'left out' }));
  let left = request.maxTokens - packetOf(request, none).tokens;
  return none.map((choice): Choice => {
    const { result } = choice.record;
    if (result === undefined) return choice;
    const tokens = request.countTokens(JSON.stringify(result));
    if (tokens > left) return choice;
    left -= tokens;
    return { ...choice, shown: 'included', value: result };
  });
}
