// Runs may be forked only at the end of a batch.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchEnds, nextBatchEnd } from '../../src/engine/state/batch-ends.ts';
import { generous } from './random-people.ts';
import { RUNS, sketches, worldOf } from './random-worlds.ts';

describe('the computed end of a batch', () => {
  it('is a real one in every run, with people and with crashes', () => {
    fc.assert(
      fc.property(sketches, fc.nat(40), (sketch, point) => {
        const world = point % 2 === 0 ? worldOf(sketch) : worldOf(sketch, generous(sketch.seed));
        for (let i = 0; i < point && world.step(); i++);
        if (point % 3 === 0) world.crash();
        world.run();
        // All events have the same millisecond.
        const events = world.journal.map((recorded) => ({ ...recorded, at: 0 }));
        const really = new Set(world.batches);
        expect(batchEnds(events).filter((end) => !really.has(end))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it('is the next one for an event in the middle of a batch', () => {
    fc.assert(
      fc.property(sketches, fc.nat(), (sketch, place) => {
        const { journal } = worldOf(sketch).run();
        const version = 1 + (place % journal.length);
        const ends = batchEnds(journal);
        expect(nextBatchEnd(journal, version)).toBe(ends.find((end) => end >= version));
      }),
      { numRuns: 20 },
    );
  });
});
