// A strategy chooses how much of each result a planner sees.
import type { Result } from '../../base/result.ts';
import type { Packet } from '../body.ts';
import type { Needs } from '../needs/needs.ts';
import type { PacketRequest } from '../request.ts';

export interface Strategy {
  readonly name: PacketRequest['strategy'];
  assemble(request: PacketRequest, needs: Needs): Result<Packet>;
}
