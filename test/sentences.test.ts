// Finds sentences in comments and test titles that begin with a word that hides their subject.
import { expect, it } from 'vitest';
import { forbiddenOpenings } from './openings.ts';
import { readSources } from './sources.ts';

const folders = Map.groupBy(
  ['src', 'test', 'scripts', 'bench'].flatMap((top) => readSources(top)),
  ({ path }) => /^(?:(?:src|test)\/[^/]+(?=\/)|[^/]+)/.exec(path)?.[0] ?? path,
);

it.each([...folders])('%s has no sentence with a forbidden opening', (folder, sources) => {
  const found = sources.flatMap(forbiddenOpenings).map(({ at, sentence }) => `${at} ${sentence.slice(0, 100)}`);
  expect(found, `rewrite these sentences of ${folder} with a subject, a verb and an object`).toEqual([]);
});
