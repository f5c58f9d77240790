// Dividing room by water-filling: all of it is used by weight, no part is overfilled, and more room never gives less.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pour, type RoomDemand } from '../../src/context/shrink/allot.ts';

const vessel: fc.Arbitrary<RoomDemand> = fc.record({
  want: fc.nat(5_000),
  weight: fc.double({ min: 0.1, max: 10, noNaN: true }),
});
const vessels = fc.array(vessel, { maxLength: 12 });
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

describe('pouring', () => {
  it('gives no vessel more than it wants, and all together no more than there is', () => {
    fc.assert(
      fc.property(vessels, fc.nat(30_000), (given, room) => {
        const shares = pour(room, given);
        expect(sum(shares)).toBeLessThanOrEqual(room);
        expect(shares.every((share, at) => share >= 0 && share <= (given[at]?.want ?? 0))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('leaves only rounding crumbs while a vessel wants more', () => {
    fc.assert(
      fc.property(vessels, fc.nat(30_000), (given, room) => {
        const used = sum(pour(room, given));
        const wanted = sum(given.map(({ want }) => want));
        expect(used).toBeGreaterThanOrEqual(Math.min(room, wanted) - given.length);
      }),
      { numRuns: 1_000 },
    );
  });

  it('gives no vessel less when there is more room', () => {
    fc.assert(
      fc.property(vessels, fc.nat(20_000), fc.nat(500), (given, room, more) => {
        const small = pour(room, given);
        const large = pour(room + more, given);
        expect(small.every((share, at) => share <= (large[at] ?? 0))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('raises all vessels by weight, and passes on the room that small vessels do not use', () => {
    const given = [10, 1_000, 1_000].map((want, at) => ({ want, weight: at + 1 }));
    const [first = 0, second = 0, third = 0] = pour(510, given);
    expect(first).toBe(10);
    expect(third / second).toBeCloseTo(1.5, 1);
    expect(second + third).toBeGreaterThanOrEqual(498);
  });
});
