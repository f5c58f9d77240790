// Random orders of people at any point of a run.
import fc from 'fast-check';
import { expect } from 'vitest';
import { type Limit, limitable } from '../../src/budget/amount.ts';
import type { Command } from '../../src/engine/record/command.ts';
import type { World } from '../../src/testing/world.ts';

export interface Act {
  /** The number of actions before the order. */
  readonly after: number;
  readonly what: 'resolve' | 'retry' | 'raise' | 'extend' | 'pause' | 'resume' | 'crash';
  readonly pick: number;
}

export const acts: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.record({
    after: fc.nat(20),
    what: fc.constantFrom('resolve', 'retry', 'raise', 'extend', 'pause', 'resume', 'crash') as fc.Arbitrary<
      Act['what']
    >,
    pick: fc.nat(1_000),
  }),
  { minLength: 1, maxLength: 12 },
);

const results = [null, 'left', { n: 1, text: '' }, { branches: ['right'] }, []] as const;

type Order = Parameters<World['tell']>[0] & { readonly type: Command['type'] };

function orderOf({ state }: World, { what, pick }: Act): Order | undefined {
  const by = 'ada';
  const oneOf = <T>(of: readonly T[]): T => of[pick % of.length] as T;
  const step = oneOf([...state.steps.keys()]);
  switch (what) {
    case 'resolve':
      return { type: 'resolve-step', step, value: oneOf(results), by };
    case 'retry':
      return { type: 'retry-step', step: oneOf([...state.running, ...state.retrying, step]), by };
    case 'raise': {
      const account = oneOf([...state.ledger.accounts.values()]);
      const resource = oneOf(limitable);
      const limit: Limit = { [resource]: (account.limit[resource] ?? 10) + (pick % 7) - 1 };
      return { type: 'raise-budget', account: account.id, limit, by };
    }
    case 'extend': {
      const { id, clock } = oneOf([...state.ledger.accounts.values()]);
      return { type: 'raise-budget', account: id, limit: {}, wallClock: (clock?.limit ?? 0) + pick - 10, by };
    }
    case 'pause':
    case 'resume':
      return { type: what, by };
    case 'crash':
      return undefined;
  }
}

/** Gives the order, and checks that a refused order leaves no trace. */
export function meddle(world: World, act: Act): void {
  for (let i = 0; i < act.after && world.step(); i++);
  if (world.state.status === 'ended') return;
  const order = orderOf(world, act);
  if (order === undefined) return world.crash(1_000);
  const { version } = world.state;
  const { refused, events, effects } = world.tell(order);
  if (refused !== undefined) expect([events, effects, world.state.version]).toEqual([[], [], version]);
}
