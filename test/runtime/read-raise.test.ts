// Reading raised limits: a person writes them like the limits of a template.
import { describe, expect, it } from 'vitest';
import { readRaise } from '../../src/runtime/load/read-raise.ts';

describe('raised limits', () => {
  it('are read with the units of a template', () => {
    const given = {
      max_total_steps: '50',
      max_cost_budget: '$7.50',
      max_total_tokens: '200k',
      max_wall_clock_time: '2h',
    };
    expect(readRaise(given)).toMatchObject({
      ok: true,
      value: { limit: { steps: 50, cost_usd: 7_500_000, tokens: 200_000 }, wallClock: 7_200_000 },
    });
  });

  it('report all their mistakes at once, each with a hint or an example', () => {
    const read = readRaise({ max_total_stepz: '50', max_wall_clock_time: '5', max_fan_out: '4' });
    expect(read.ok ? [] : read.error).toMatchObject([
      { code: 'BUDGET_KEY_UNKNOWN', hint: 'did you mean "max_total_steps"?' },
      { code: 'BUDGET_VALUE_UNREADABLE', message: expect.stringContaining('30m') },
      { code: 'BUDGET_KEY_UNKNOWN', hint: expect.stringContaining('max_total_replans') },
    ]);
  });
});
