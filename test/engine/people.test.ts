// Invariants E1 to E10 under random orders of people: the run always ends, or waits for people.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitable, quantity } from '../../src/budget/amount.ts';
import { fold } from '../../src/engine/state/fold.ts';
import { elapsedOf, isTerminal } from '../../src/engine/state/state.ts';
import { isWaiting } from '../../src/engine/state/waiting.ts';
import type { World } from '../../src/testing/world.ts';
import { acts, meddle } from './random-orders.ts';
import { generous } from './random-people.ts';
import { RUNS, sketches, worldOf } from './random-worlds.ts';

function goOn(world: World): World {
  if (world.state.status === 'paused') world.tell({ type: 'resume', by: 'ada' });
  return world.run();
}

describe('a run with random orders of people', () => {
  it('ends when people answer all questions, within every limit and with no reservation left', () => {
    fc.assert(
      fc.property(sketches, acts, (sketch, orders) => {
        const world = worldOf(sketch, generous(sketch.seed));
        for (const act of orders) meddle(world, act);
        const { state } = goOn(world);
        expect(state.status).toBe('ended');
        expect([...state.steps.values()].every(isTerminal)).toBe(true);
        expect([...state.openGates]).toEqual([]);
        for (const account of state.ledger.accounts.values())
          for (const of of limitable) expect(quantity(account.reserved, of), `${account.id} ${of}`).toBe(0);
      }),
      { numRuns: RUNS },
    );
  });

  it('ends or waits when nobody answers, and its journal folds to the state that wrote it', () => {
    fc.assert(
      fc.property(sketches, acts, (sketch, orders) => {
        const world = worldOf(sketch, () => undefined);
        for (const act of orders) meddle(world, act);
        const { state } = goOn(world);
        expect(state.status === 'ended' || isWaiting(state)).toBe(true);
        const again = fold(sketch.template, world.journal);
        expect([...again.steps.values()]).toEqual([...state.steps.values()]);
        expect([again.asking, again.exhausted, elapsedOf(again)]).toEqual([
          state.asking,
          state.exhausted,
          elapsedOf(state),
        ]);
      }),
      { numRuns: RUNS },
    );
  });
});
