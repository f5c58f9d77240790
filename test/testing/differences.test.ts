// Differences between an expected value and the value that was found.
import { expect, it } from 'vitest';
import { differencesOf } from '../../src/testing/scenarios/play-scenario.ts';

it.each([
  [{ a: 1 }, { a: 1, b: 2 }, []],
  [{ a: { b: 'x' } }, { a: { b: 'y' } }, [{ path: 'output.a.b', expected: 'x', found: 'y' }]],
  [{ a: 1 }, {}, [{ path: 'output.a', expected: 1 }]],
  [{ a: null }, { a: null }, []],
  [{ a: null }, {}, [{ path: 'output.a', expected: null }]],
  [[1, 2], [1, 3], [{ path: 'output.1', expected: 2, found: 3 }]],
  [[1], [1, 2], [{ path: 'output', expected: [1], found: [1, 2] }]],
  [[{ a: 1 }], [{ a: 1, b: 2 }], []],
  [[], [], []],
  [{}, [], [{ path: 'output', expected: {}, found: [] }]],
  [{}, { a: 1 }, []],
  ['10', 10, [{ path: 'output', expected: '10', found: 10 }]],
])('the expected %j and the found %j have the differences %j', (expected, found, differences) => {
  expect(differencesOf(expected, found, 'output')).toEqual(differences);
});
