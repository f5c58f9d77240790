// Copies of plain data.
import { describe, expect, it } from 'vitest';
import { copied } from '../../src/base/copied.ts';

describe('a copy of plain data', () => {
  const data = JSON.parse('{"a":[1,{"b":null}],"__proto__":{"c":"text"},"d":{}}') as { readonly a: readonly unknown[] };

  it('equals the original and shares no object with it', () => {
    const copy = copied(data);
    expect(JSON.stringify(copy)).toBe(JSON.stringify(data));
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(copy).not.toBe(data);
    expect(copy.a).not.toBe(data.a);
    expect(copy.a[1]).not.toBe(data.a[1]);
  });
});
