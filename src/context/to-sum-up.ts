// What a model is given to sum up for a planner: results, failures and phases, in more room than the planner has.
import { defined, type JsonObject } from '../base/json.ts';
import { assemblePacket, type Packet } from './packet.ts';
import type { PacketRequest } from './request.ts';

/** How much more than the planner itself the one who sums up is shown. */
const TIMES = 8;

/** Nothing of the results is left to be summed up. */
export function showsAll({ receipt }: Packet): boolean {
  return receipt.items.every(({ need, shown }) => need !== undefined || shown === 'included');
}

/** Undefined: not even outlines have room in so many tokens. */
export function toSumUp(request: PacketRequest, mostTokens: number): JsonObject | undefined {
  const { strategy: _, feedback: __, clarifications: ___, needs: ____, asked: _____, ...rest } = request;
  const ample = assemblePacket({
    ...rest,
    strategy: 'contract',
    maxTokens: Math.min(request.maxTokens * TIMES, mostTokens),
    problem: { template: request.problem.template, input: null, constraints: [] },
    budget: null,
  });
  if (!ample.ok) return undefined;
  const { results: shown = {}, failures = [], retried, phases = [] } = ample.value.body;
  return { results: shown, failures, ...defined({ retried }), phases };
}
