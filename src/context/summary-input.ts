// The input of a model that sums up results for a planner: results, failures and phases, in more room than the planner has.
import { defined, type JsonObject } from '../base/json.ts';
import { assemblePacket, type Packet } from './packet.ts';
import type { PacketRequest } from './request.ts';

/** The summarizing model's room as a multiple of the planner's. */
const TIMES = 8;

/** Tells whether the packet shows every result whole, so that no summary is needed. */
export function showsAll({ receipt }: Packet): boolean {
  return receipt.items.every(({ need, shown }) => need !== undefined || shown === 'included');
}

/** Undefined when not even outlines fit in `mostTokens`. */
export function summaryInput(request: PacketRequest, mostTokens: number): JsonObject | undefined {
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
