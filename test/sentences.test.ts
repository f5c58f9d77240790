// Counts the sentences in comments and test titles that begin with a forbidden word; the counts may only shrink.
import { expect, it } from 'vitest';
import { forbiddenOpenings } from './openings.ts';
import { readSources } from './sources.ts';

/** The most such sentences a folder may have. A folder without a row may have none. */
const limits: Readonly<Record<string, number>> = {
};

const folders = Map.groupBy(
  ['src', 'test', 'scripts', 'bench'].flatMap((top) => readSources(top)),
  ({ path }) => /^(?:(?:src|test)\/[^/]+(?=\/)|[^/]+)/.exec(path)?.[0] ?? path,
);

it.each([...folders])('%s has no more forbidden openings than its limit', (folder, sources) => {
  const found = sources.flatMap(forbiddenOpenings).map(({ at, sentence }) => `${at} ${sentence.slice(0, 100)}`);
  const limit = limits[folder] ?? 0;
  const advice = `${folder} has ${found.length} sentences with a forbidden opening and may have ${limit}. Rewrite them with a subject, a verb and an object; after that lower the number in test/sentences.test.ts, and never raise it`;
  expect(found.length <= limit ? [] : found, advice).toEqual([]);
});
