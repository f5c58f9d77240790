// Counts the length of a value as JSON without writing it.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { jsonLength } from '../../src/base/json-length.ts';

it('jsonLength equals the length of the JSON text without escapes', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const json = JSON.parse(JSON.stringify(value).replaceAll(/\\u....|\\./g, 'x')) as Json;
      expect(jsonLength(json, 1_000_000)).toBe(JSON.stringify(json).length);
    }),
    { seed: 7 },
  );
});

it('jsonLength counts a shared part each time, and stops at the bound', () => {
  let shared: Json = [1];
  for (let i = 0; i < 60; i++) shared = [shared, shared];
  expect(jsonLength(shared, 1_000)).toBeUndefined();
  expect(jsonLength([[1], [1]], 9)).toBe(9);
  expect(jsonLength([[1], [1]], 8)).toBeUndefined();
});
