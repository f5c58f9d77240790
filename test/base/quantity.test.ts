// Quantities are read as people write them, and refusals name the expected form.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  durationText,
  moneyText,
  readDuration,
  readMoney,
  readPercent,
  readSize,
  roughly,
} from '../../src/base/quantity.ts';

describe('durations', () => {
  it.each([
    ['250ms', 250],
    ['30s', 30_000],
    ['30m', 1_800_000],
    ['2h', 7_200_000],
    ['1.5s', 1_500],
    ['1d', 86_400_000],
  ])('are read from %s as milliseconds', (text, value) => {
    expect(readDuration(text)).toEqual({ ok: true, value, warnings: [] });
  });

  it.each(['30', '', 'soon', '-1s', '1 hour', '1e3s'])(
    'are not read from "%s", and the refusal names the expected form',
    (text) => {
      expect(readDuration(text)).toEqual({ ok: false, error: 'a duration such as 250ms, 30s, 30m or 2h' });
    },
  );

  it.each([
    [850, '850ms'],
    [12_345, '12.3s'],
    [250_000, '4m 10s'],
    [7_500_000, '2h 5m'],
    [60_000, '1m'],
  ])('%i is shown as %s', (value, text) => {
    expect(durationText(value)).toBe(text);
  });
});

describe('money', () => {
  it('is read exactly to the micro-dollar', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000_000), (amount) => {
        const text = `$${Math.floor(amount / 1_000_000)}.${String(amount % 1_000_000).padStart(6, '0')}`;
        expect(readMoney(text)).toEqual({ ok: true, value: amount, warnings: [] });
      }),
    );
  });

  it.each([
    ['$5.00', 5_000_000],
    ['5', 5_000_000],
    ['$0.07', 70_000],
  ])('is read from %s', (text, value) => {
    expect(readMoney(text)).toEqual({ ok: true, value, warnings: [] });
  });

  it.each(['-1', '$', '5,00', '1.2345678', '€5'])('is not read from "%s"', (text) => {
    expect(readMoney(text).ok).toBe(false);
  });

  it('shows cents, and more digits only when cents are not exact', () => {
    expect([moneyText(2_300_000), moneyText(70_000), moneyText(4_931_200), moneyText(40)]).toEqual([
      '$2.30',
      '$0.07',
      '$4.9312',
      '$0.000040',
    ]);
  });
});

describe('roughly', () => {
  it.each([
    [892_526, 890_000],
    [899_999, 890_000],
    [99, 99],
    [100, 100],
    [7, 7],
    [0, 0],
  ])('%i is rounded down to %i', (amount, told) => {
    expect(roughly(amount)).toBe(told);
  });
});

describe('sizes and percentages', () => {
  it.each([
    ['200', 200],
    ['200k', 200_000],
    ['1.5M', 1_500_000],
    [4_000, 4_000],
  ])('are read from %s', (text, value) => {
    expect(readSize(text)).toEqual({ ok: true, value, warnings: [] });
  });

  it('are not read from other text', () => {
    expect([readSize('many').ok, readPercent('101%').ok, readPercent('10').ok]).toEqual([false, false, false]);
    expect(readPercent('10%')).toEqual({ ok: true, value: 10, warnings: [] });
  });
});
