// Figures for people, rules and machines: exact decimals of dollars and seconds.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  amountOfShown,
  dollarsOf,
  durationOfSeconds,
  microDollarsOf,
  secondsOf,
  shownAmount,
  shownFigures,
  shownRow,
} from '../../src/budget/display-figures.ts';

describe('money outside the ledger', () => {
  it('is a decimal of dollars with exactly the digits of the micro-dollars', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2_000_000_000_000 }), (micros) => {
        const digits = String(micros).padStart(7, '0');
        const exact = `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
        expect(JSON.stringify(dollarsOf(micros))).toBe(exact);
        expect(microDollarsOf(dollarsOf(micros))).toBe(micros);
      }),
    );
  });

  it('is summed before it is shown: ten cents and twenty cents make thirty cents', () => {
    expect(dollarsOf(100_000 + 200_000)).toBe(0.3);
    expect(JSON.stringify(shownAmount({ cost_usd: 4_931_200, steps: 3 }))).toBe('{"cost_usd":4.9312,"steps":3}');
  });

  it('is charged to the parent run to the micro-dollar', () => {
    const bill = { cost_usd: 1_234_567, llm_calls: 2 };
    expect(amountOfShown(shownAmount(bill))).toEqual(bill);
    expect(amountOfShown({ steps: 1 })).toEqual({ steps: 1 });
  });
});

describe('time outside the engine', () => {
  it('is a decimal of seconds', () => {
    expect([secondsOf(90_000), secondsOf(1_234), secondsOf(0.4)]).toEqual([90, 1.234, 0]);
    expect(durationOfSeconds(secondsOf(1_234_567))).toBe(1_234_567);
  });

  it('is in seconds under `time` in every record, and counts stay unchanged', () => {
    expect(shownFigures({ time: 600_000, cost_usd: 250_000, tokens: 1_000 })).toEqual({
      time: 600,
      cost_usd: 0.25,
      tokens: 1_000,
    });
    const row = { resource: 'time', limit: 1_500, within: 'run', landing: 0 };
    expect(shownRow(row, ['limit', 'landing'])).toEqual({ ...row, limit: 1.5 });
  });
});
