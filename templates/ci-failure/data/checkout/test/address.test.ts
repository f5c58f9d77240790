import { describe, expect, it } from 'vitest';
import { label, parseAddress } from '../src/address.ts';

describe('parseAddress', () => {
  it('reads a whole address', () => {
    expect(parseAddress('Ada Lund, Seestr. 4, 13347 Berlin, DE').city).toBe('Berlin');
  });

  it('reads an address without a place', () => {
    expect(parseAddress('Ada Lund, Seestr. 4')).toMatchObject({ name: 'Ada Lund', postcode: '' });
  });
});

describe('label', () => {
  it('has four lines', () => {
    expect(label(parseAddress('Ada Lund, Seestr. 4, 13347 Berlin, DE')).split('\n')).toHaveLength(4);
  });
});
