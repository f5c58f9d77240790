// A snapshot restores the state that its events fold into, and later events fold onto it in the same way.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestOf } from '../../src/base/digest.ts';
import { snapshotText, stateFrom } from '../../src/engine/codec/snapshot-codec.ts';
import { fold, foldOn } from '../../src/engine/state/fold.ts';
import { newState, type RunState } from '../../src/engine/state/state.ts';
import { plain } from './plain-state.ts';
import { acts, meddle } from './random-orders.ts';
import { generous } from './random-people.ts';
import { RUNS, sketches, worldOf } from './random-worlds.ts';

const contents = (state: RunState) => digestOf(JSON.parse(snapshotText(state)));

describe('a snapshot', () => {
  it('at any event of any run restores the state that folding from the beginning gives', () => {
    fc.assert(
      fc.property(sketches, acts, fc.nat(60), (sketch, orders, point) => {
        const { template } = sketch;
        const world = point % 3 === 0 ? worldOf(sketch) : worldOf(sketch, generous(sketch.seed));
        for (const act of point % 2 === 0 ? [] : orders) meddle(world, act);
        for (let i = 0; i < point && world.step(); i++);
        if (world.state.status !== 'ended') world.crash();
        const { journal } = world.run();
        const whole = fold(template, journal);
        const state = newState(template);
        for (const [at, recorded] of journal.entries()) {
          foldOn(state, [recorded]);
          const restored = stateFrom(snapshotText(state), template);
          if (at % 5 === 0) expect(plain(restored)).toEqual(plain(state));
          foldOn(restored, journal.slice(at + 1));
          expect(plain(restored)).toEqual(plain(whole));
          if (at % 5 === 0) expect(contents(restored)).toBe(contents(whole));
        }
      }),
      { numRuns: RUNS / 10 },
    );
  });

  it('has the same text for a live, a folded and a restored state', () => {
    fc.assert(
      fc.property(sketches, fc.nat(60), (sketch, point) => {
        const world = worldOf(sketch, generous(sketch.seed));
        for (let i = 0; i < point && world.step(); i++);
        const lived = contents(world.state);
        expect(contents(fold(sketch.template, world.journal))).toBe(lived);
        expect(contents(stateFrom(snapshotText(world.state), sketch.template))).toBe(lived);
      }),
      { numRuns: RUNS },
    );
  });
});
