// Holds files to a size that one can read in one sitting.
import { describe, expect, it } from 'vitest';
import { readSources } from './sources.ts';

const STOP = 400;
const MEDIAN = 140;
/** Tables, one row a builtin, and what a script writes. */
const excepted = /\/builtins-[a-z-]+\.ts$|\/generated-[a-z-]+\.ts$/;

const lines = readSources('src')
  .filter(({ path }) => !excepted.test(path))
  .map(({ path, text }) => ({ path, count: text.split('\n').length - 1 }));

describe('the size of files', () => {
  it(`stops at ${STOP} lines`, () => {
    expect(lines.filter(({ count }) => count > STOP)).toEqual([]);
  });

  it(`has a median of at most ${MEDIAN} lines`, () => {
    const counts = lines.map(({ count }) => count).sort((a, b) => a - b);
    expect(counts[counts.length >> 1]).toBeLessThanOrEqual(MEDIAN);
  });
});

describe('the first line of a file', () => {
  it('says in one sentence what the file is', () => {
    const silent = [...readSources('src'), ...readSources('test'), ...readSources('scripts')]
      .filter(({ path }) => !path.includes('/fixtures/') && !path.includes('/generated-'))
      .filter(({ text }) => !/^(#!.*\n)?\/\/ \S.*[.:]\n/.test(text))
      .map(({ path }) => path);
    expect(silent).toEqual([]);
  });
});
