// Holds the walk of docs/source.md to the code: files, functions, calls, and rooms that are entered once.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf, readSources, root } from './sources.ts';

interface WalkRow {
  readonly row: string;
  readonly file: string;
  readonly name: string;
  readonly caller: string;
}

const page = readFileSync(join(root, 'docs/source.md'), 'utf8');
const walk: readonly WalkRow[] = [...page.matchAll(/^\| (\d+) \| `([^`]+)` \| `([^`]+)` \| [^|]+ \| (\d*) ?\|$/gm)].map(
  ([, row = '', file = '', name = '', caller = '']) => ({ row, file, name, caller }),
);
const byRow = new Map(walk.map((each) => [each.row, each]));
const sources = new Map(readSources('src').map((source) => [source.path, source]));

function roomOf({ file }: WalkRow): string {
  return dirname(file);
}

describe('the walk in docs/source.md', () => {
  it('goes from the driver to the graph', () => {
    expect([walk[0]?.file, walk.at(-1)?.file]).toEqual(['src/runtime/drive/driver.ts', 'src/graph/graft.ts']);
  });

  it('names functions that their files export', () => {
    const missing = [...page.matchAll(/^\|(?: \d+ \|)? `([^`]+)` \| `([^`]+)` \|/gm)].filter(
      ([, file = '', name = '']) => !new RegExp(`^export .*\\b${name}\\b`, 'm').test(sources.get(file)?.text ?? ''),
    );
    expect(missing.map(([text]) => text)).toEqual([]);
  });

  it('follows calls that are in the code', () => {
    const broken = walk.slice(1).filter(({ file, name, caller }) => {
      const from = sources.get(byRow.get(caller)?.file ?? '');
      return from === undefined || !importsOf(from).includes(file) || !from.text.includes(`${name}(`);
    });
    expect(broken).toEqual([]);
  });

  it('enters each room once', () => {
    const entered = walk
      .filter((each) => each.caller === '' || roomOf(byRow.get(each.caller) ?? each) !== roomOf(each))
      .map(roomOf);
    expect(entered).toEqual([...new Set(entered)]);
  });

  it('names only files that exist', () => {
    const paths = [...page.matchAll(/`((?:src|test)\/[^`]+)`/g)].map(([, path = '']) => path);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
