// Holds the docs against the code: every code is explained, and everything explained exists.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSources, root } from './sources.ts';

/** Capitals in quotes that are not codes of ours: environment variables, and what other programs answer. */
const foreign =
  /^(NO_COLOR|FORCE_COLOR|RECONVERGE_[A-Z_]+|ERR_[A-Z_]+|CSV_(MAX|QUOTE|RECORD)_[A-Z_]+|DUPLICATE_KEY|TAB_AS_INDENT|TAG_RESOLVE_FAILED)$/;

const inCode = new Set(
  readSources('src')
    .filter(({ path }) => !path.includes('generated-'))
    .flatMap(({ text }) => [...text.matchAll(/'([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)'/g)].map((match) => match[1] ?? ''))
    .filter((code) => !foreign.test(code)),
);

const errors = readFileSync(join(root, 'docs/errors.md'), 'utf8');
const inDocs = [...errors.matchAll(/^\| `([A-Z0-9_]+)` \| ([^|]+) \| ([^|]+) \|$/gm)];

describe('docs/errors.md', () => {
  it('explains every code', () => {
    const rows = new Set(inDocs.map((row) => row[1]));
    expect([...inCode].filter((code) => !rows.has(code)).sort()).toEqual([]);
  });

  it('explains no code that is gone', () => {
    expect(inDocs.map((row) => row[1] ?? '').filter((code) => !inCode.has(code))).toEqual([]);
  });

  it('has each code once, in the order of the alphabet', () => {
    const codes = inDocs.map((row) => row[1] ?? '');
    expect(codes).toEqual([...new Set(codes)].sort());
  });
});
