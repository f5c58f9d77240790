// The two columns of the bound: the use of runs without failures, and the limit that no run exceeds.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitable, quantity } from '../../src/budget/amount.ts';
import { type BoundRow, boundOf } from '../../src/engine/bound/bound.ts';
import type { World } from '../../src/testing/world.ts';
import { type CalmSketch, calmSketches, calmWorld } from './calm-worlds.ts';
import { RUNS } from './random-worlds.ts';

/** Each used resource, as the rows of a bound name them. */
function usedIn({ state, attempts }: World): ReadonlyMap<string, number> {
  const spent = state.ledger.accounts.get('run')?.spent ?? {};
  const depths = [...state.phases.keys()].map((planner) => 1 + (state.steps.get(planner)?.provenance?.depth ?? 0));
  return new Map<string, number>([
    ...limitable.map((of) => [of, quantity(spent, of)] as const),
    ['attempts', attempts],
    ['planning_depth', Math.max(0, ...depths)],
  ]);
}

const failures: ReadonlySet<string> = new Set([
  'attempt.failed',
  'attempt.lost',
  'verification.failed',
  'fragment.rejected',
  'step.failed',
  'replan.started',
  'budget.exhausted',
]);

function rowsOf(sketch: CalmSketch, world: World): readonly (readonly [BoundRow, number])[] {
  const used = usedIn(world);
  return boundOf(sketch.template).flatMap((row) => {
    const actual = used.get(row.resource);
    return actual === undefined ? [] : [[row, actual] as const];
  });
}

describe('a run in which nothing fails', () => {
  it('uses what the first column says, exactly where the template alone says what runs', () => {
    let [fixed, open] = [0, 0];
    fc.assert(
      fc.property(calmSketches, (sketch) => {
        const world = calmWorld(sketch);
        const failed = world.events.filter(({ type }) => failures.has(type));
        // A generated plan may be rejected.
        if (!sketch.isFixed && failed.length > 0) return;
        expect([world.state.ended?.status, failed]).toEqual(['completed', []]);
        if (sketch.isFixed) fixed += 1;
        else open += 1;
        for (const [{ resource, ifNothingFails, bound }, actual] of rowsOf(sketch, world)) {
          const { least, most = Number.POSITIVE_INFINITY } = ifNothingFails;
          expect(actual, `least ${resource}`).toBeGreaterThanOrEqual(least);
          expect(actual, `most ${resource}`).toBeLessThanOrEqual(most);
          expect(most, `at worst ${resource}`).toBeLessThanOrEqual(bound ?? Number.POSITIVE_INFINITY);
          // The template does not say how long prompts and answers are.
          const isMetered = /^(tokens.*|cost_usd)$/.test(resource) && Object.keys(sketch.template.models).length > 0;
          if (sketch.isFixed && !isMetered) expect([least, most], resource).toEqual([actual, actual]);
        }
      }),
      { numRuns: RUNS * 2 },
    );
    expect(fixed).toBeGreaterThan(RUNS / 5);
    expect(open).toBeGreaterThan(RUNS / 5);
  });
});
