// A packet: everything that a planning step learns about the run, assembled by one of the strategies.
import { present } from '../base/fault.ts';
import type { Result } from '../base/result.ts';
import type { Packet } from './body.ts';
import { needsOf } from './needs/needs.ts';
import type { PacketRequest } from './request.ts';
import { contract } from './strategies/contract.ts';
import { full } from './strategies/full.ts';
import { hierarchical } from './strategies/hierarchical.ts';
import { selective } from './strategies/selective.ts';
import type { Strategy } from './strategies/strategy.ts';
import { summary } from './strategies/summary.ts';

export type { Packet } from './body.ts';
export type { PacketRequest, StepRecord } from './request.ts';

const strategies: readonly Strategy[] = [full, contract, summary, selective, hierarchical];

/**
 * The same request always gives the same packet. It takes at most `maxTokens`, not counting needs that the planner's reply
 * requested. Issue: CONTEXT_OVER_ALLOWANCE.
 */
export function assemblePacket(request: PacketRequest): Result<Packet> {
  const strategy = strategies.find(({ name }) => name === request.strategy);
  return present(strategy, `strategy ${request.strategy}`).assemble(request, needsOf(request));
}
