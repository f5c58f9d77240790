import { describe, expect, it } from 'vitest';
import { isHeavy, rateOf, volumetricGrams } from '../src/rates.ts';

describe('rateOf', () => {
  it('charges the base price for an empty parcel', () => {
    expect(rateOf('city', 0)).toBe(290);
  });

  it('rounds half a cent up', () => {
    expect(rateOf('country', 100)).toBe(553);
  });

  it('charges by the gram abroad', () => {
    expect(rateOf('europe', 2500)).toBe(1687);
  });
});

describe('isHeavy', () => {
  it('begins above 31.5 kilos', () => {
    expect([isHeavy(31_500), isHeavy(31_501)]).toEqual([false, true]);
  });
});

describe('volumetricGrams', () => {
  it('rounds up to whole kilos', () => {
    expect(volumetricGrams(40, 30, 20)).toBe(5000);
  });
});
