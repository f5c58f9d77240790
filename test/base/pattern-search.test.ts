// Finds many patterns in one text.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { patternSearch } from '../../src/base/pattern-search.ts';

/** Finds the matches of each pattern separately. */
function slowly(text: string, wanted: readonly string[]): readonly boolean[] {
  return Array.from(text, (_, at) => wanted.some((each) => covers(text, each, at)));
}

function covers(text: string, each: string, at: number): boolean {
  const from = Math.max(0, at - each.length + 1);
  return Array.from({ length: at - from + 1 }, (_, back) => from + back).some((start) => text.startsWith(each, start));
}

it('patternSearch finds exactly the matches of a separate search for each pattern', () => {
  const letters = (least: number, most: number) =>
    fc.string({ minLength: least, maxLength: most, unit: fc.constantFrom('a', 'b', 'é') });
  fc.assert(
    fc.property(letters(0, 60), fc.array(letters(2, 6), { maxLength: 4 }), (text, wanted) => {
      const found = patternSearch(wanted)(text);
      const isFound = Array.from(text, (_, at) => found.some(([from, to]) => from <= at && at < to));
      expect(isFound).toEqual(slowly(text, wanted));
      found.forEach(([from], index) => {
        expect(from).toBeGreaterThanOrEqual(found[index - 1]?.[1] ?? 0);
      });
    }),
    { numRuns: 500 },
  );
});

it('patternSearch finds nothing without patterns, or in text that is too short', () => {
  expect(patternSearch([])('some text')).toEqual([]);
  expect(patternSearch(['longer'])('long')).toEqual([]);
});
