// The landing reserve is checked against the most that the landing set may use, before anything runs.
import { describe, expect, it } from 'vitest';
import type { Limit } from '../../src/budget/amount.ts';
import { defaultRunBudget, type RunBudget } from '../../src/budget/limits.ts';
import { landingCover, type UncoveredLimit } from '../../src/engine/bound/landing-cover.ts';
import { landingShare } from '../../src/engine/state/landing-set.ts';
import { type StepSketch, stepOf, templateOf, work } from './template-of.ts';

const steps = (end: Partial<StepSketch> = {}): StepSketch[] => [
  { name: 'plan', planning: { target: 'end' } },
  { name: 'end', type: 'deferred', capability: 'work', after: ['plan'], timeout: 1_000, ...end },
];

function uncovered(
  sketch: readonly StepSketch[],
  limit: Limit = {},
  { budget, ...more }: { budget?: Partial<RunBudget>; price?: number; asks?: true } = {},
): readonly UncoveredLimit[] {
  const { price, asks } = more;
  const capability = {
    ...work,
    cost: price === undefined ? {} : { micro_dollars: price },
    ...(asks === undefined ? {} : { asks }),
  };
  const given = { limit: { ...defaultRunBudget.limit, ...limit }, ...budget };
  return landingCover(templateOf({ steps: sketch, budget: given, capabilities: [capability] })).uncovered;
}

describe('the landing set', () => {
  it('consists of the steps with no planning step behind them', () => {
    const template = templateOf({ steps: [{ name: 'first' }, ...steps()] });
    expect(landingCover(template)).toEqual({ steps: ['first', 'end'], reserve: 10, uncovered: [] });
  });

  it('is covered when its reserve pays for every delivery of every attempt', () => {
    expect(uncovered(steps(), { tool_calls: 30 })).toEqual([]);
    expect(uncovered(steps(), { tool_calls: 29 })).toEqual([]);
    expect(uncovered(steps({ maxDeliveries: 4 }), { tool_calls: 30 })).toMatchObject([{ kept: 3, needs: 4 }]);
    expect(uncovered(steps(), { tool_calls: 30 }, { asks: true })).toMatchObject([{ kept: 3, needs: 12 }]);
  });

  it('reports how much it may lack, and the reserve that would cover it', () => {
    const [short] = uncovered(steps(), { tool_calls: 7 });
    expect(short).toEqual({ resource: 'tool_calls', limit: 7, kept: 1, needs: 3, reserve: 29 });
    const kept = (landingReserve: number) => landingShare(7, { ...defaultRunBudget, landingReserve });
    expect([kept(28), kept(29)]).toEqual([2, 3]);
    expect(uncovered(steps(), { tool_calls: 7 }, { budget: { landingReserve: 29 } })).toEqual([]);
  });

  it('may need more than the whole limit', () => {
    expect(uncovered(steps(), { tool_calls: 2 })).toEqual([{ resource: 'tool_calls', limit: 2, kept: 1, needs: 3 }]);
  });

  it('counts every item that a fan-out may have', () => {
    const fanOut = {
      do: stepOf({ name: 'do', timeout: 1 }),
      forEach: [],
      maxWidth: 5,
      failureStrategy: 'fail_fast',
    } as const;
    const wide: StepSketch[] = [...steps(), { name: 'wide', type: 'fan_out', fanOut, after: ['end'] }];
    expect(uncovered(wide, { tool_calls: 100 })).toMatchObject([{ kept: 10, needs: 18 }]);
  });

  it('counts calls at the prices that their capabilities declare', () => {
    expect(uncovered(steps(), { cost_usd: 1_000_000 }, { price: 30_000 })).toEqual([]);
    expect(uncovered(steps(), { cost_usd: 1_000_000 }, { price: 40_000 })).toMatchObject([
      { resource: 'cost_usd', kept: 100_000, needs: 120_000, reserve: 12 },
    ]);
  });

  it('uses no more than its own budget', () => {
    expect(uncovered(steps({ budget: { limit: { tool_calls: 1 } } }), { tool_calls: 7 })).toEqual([]);
  });

  it('needs the time of its longest chain: attempts and the waits between them', () => {
    const retry = { maxAttempts: 3, backoff: 'exponential', base: 1_000, max: 9_000, jitter: 1 } as const;
    const chain: StepSketch[] = [
      ...steps({ retry }),
      { name: 'short', after: ['end'], timeout: 1_000 },
      { name: 'long', after: ['end'], timeout: 2_000 },
      { name: 'asks', type: 'human_review', after: ['long'] },
    ];
    const within = (wallClock: number) => uncovered(chain, {}, { budget: { wallClock } });
    expect(within(80_000)).toEqual([]);
    expect(within(70_000)).toEqual([{ resource: 'time', limit: 70_000, kept: 7_000, needs: 8_000, reserve: 12 }]);
  });

  it('is covered when no run can reach the limit, or when nothing is planned', () => {
    const narrow = { fragmentSteps: 1, planningDepth: 1 };
    const limit = { tool_calls: 10_000, replans: 0 };
    expect(uncovered(steps(), limit, { budget: { ...narrow, landingReserve: 0, wallClock: 0 } })).toMatchObject([
      { resource: 'time' },
    ]);
    expect(uncovered([{ name: 'end' }], { tool_calls: 1 })).toEqual([]);
  });
});
