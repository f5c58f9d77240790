// Holds names to the vocabulary: files that say what they are, and words that mean one thing.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeOf, readSources, root } from './sources.ts';

const sources = [...readSources('src'), ...readSources('test'), ...readSources('scripts')];
const empty = ['utils', 'util', 'helpers', 'helper', 'common', 'core', 'types', 'misc', 'manager', 'components'];

describe('names of files and folders', () => {
  it('say something', () => {
    const silent = sources.filter(({ path }) => path.split(/[/.]/).some((part) => empty.includes(part)));
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  it('are kebab-case', () => {
    const odd = sources
      .map(({ path }) => basename(path).replace('.d.ts', '.ts'))
      .filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.schema)?\.tsx?$/.test(name));
    expect(odd).toEqual([]);
  });
});

describe('the code', () => {
  const banned: Readonly<Record<string, RegExp>> = {
    'the any type': /:\s*any\b|\bas any\b|<any>/,
    'non-null assertions': /[\w)\]]!(?=[.;,)[\]\s])(?!=)/,
    enums: /^\s*(export\s+)?(const\s+)?enum\s/m,
    'default exports': /^export default /m,
  };
  for (const [what, pattern] of Object.entries(banned)) {
    it(`has no ${what}`, () => {
      const found = readSources('src').filter((source) => pattern.test(codeOf(source)));
      expect(found.map(({ path }) => path)).toEqual([]);
    });
  }

  it('leaves nothing to be done later', () => {
    const later = new RegExp(['TO', 'DO|FIX', 'ME|not impl', 'emented|@ts-', 'ignore'].join(''), 'i');
    expect(sources.filter(({ text }) => later.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

describe('the words in CONTRIBUTING.md', () => {
  const vocabulary = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split('## Name things')[1] ?? '';
  const rows = [...vocabulary.matchAll(/^\| ([^|]+) \| ([^|]+) \|([^|]*)\|$/gm)].slice(1);

  it('defines the words that the code is made of', () => {
    for (const word of ['run', 'step', 'phase', 'fragment', 'graft', 'capability', 'journal', 'ledger', 'packet']) {
      expect(
        rows.some((row) => (row[1] ?? '').split(', ').includes(word)),
        word,
      ).toBe(true);
    }
  });

  it('names no word both as ours and as one to avoid', () => {
    const ours = new Set(rows.flatMap((row) => (row[1] ?? '').split(',').map((word) => word.trim())));
    const avoided = rows.flatMap((row) =>
      (row[3] ?? '')
        .replace(/\([^)]*\)/g, '')
        .split(',')
        .map((word) => word.trim()),
    );
    const both = avoided.filter((word) => word !== '' && ours.has(word) && word !== 'budget' && word !== 'plan');
    expect(both).toEqual([]);
  });
});

describe('keys without a value', () => {
  it('are left out by defined() alone', () => {
    const byHand = /=== undefined[^?:;]*\? \{\} : \{ [\w'.]+(: [^,{}]+)? \}/;
    const found = readSources('src').filter((source) => byHand.test(codeOf(source)));
    expect(found.map(({ path }) => path)).toEqual([]);
  });
});
