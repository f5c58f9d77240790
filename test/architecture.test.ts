// Holds src/ to its floors: who may import whom, no cycles, and a core without clock, chance or the outside world.
import { describe, expect, it } from 'vitest';
import { findCycle } from '../src/graph/cycle.ts';
import { codeOf, importsOf, loadedBy, readSources, type Source } from './sources.ts';

/** Lowest first; folders of one row do not see each other. */
const floors: readonly (readonly string[])[] = [
  ['base'],
  ['lisp', 'graph', 'contract', 'budget', 'model'],
  ['template'],
  ['goals'],
  ['planning', 'context'],
  ['engine'],
  ['view', 'store', 'llm', 'telemetry'],
  ['capabilities'],
  ['planners'],
  ['runtime'],
  ['index.ts', 'testing', 'otel'],
  ['cli', 'inspector'],
];

const pure = [
  'base',
  'lisp',
  'graph',
  'contract',
  'budget',
  'model',
  'template',
  'goals',
  'planning',
  'context',
  'engine',
  'view',
  'telemetry',
];

/** What a row may see on its own level or above, with the reason. */
const doors: Readonly<Record<string, readonly string[]>> = {
  // A subpath's door names what it publishes.
  'src/index.ts': ['testing'],
  // A command begins what people look at.
  'src/cli/inspector.ts': ['inspector'],
};

const sources = readSources('src');
const byPath = new Map(sources.map((source) => [source.path, source]));

function folderOf(path: string): string {
  return path.split('/')[1] ?? '';
}

function floorOf(folder: string): number {
  return floors.findIndex((row) => row.includes(folder));
}

function isPure({ path }: Source): boolean {
  return pure.includes(folderOf(path));
}

describe('the floors of src/', () => {
  it('puts every folder on a floor', () => {
    const homeless = [...new Set(sources.map(({ path }) => folderOf(path)))].filter((folder) => floorOf(folder) < 0);
    expect(homeless).toEqual([]);
  });

  it('lets a folder import lower floors only', () => {
    const climbs = sources.flatMap((source) => {
      const from = folderOf(source.path);
      return importsOf(source)
        .filter((path) => path.startsWith('src/'))
        .filter((path) => folderOf(path) !== from && floorOf(folderOf(path)) >= floorOf(from))
        .filter((path) => !(doors[source.path] ?? []).includes(folderOf(path)))
        .map((path) => `${source.path} imports ${path}`);
    });
    expect(climbs).toEqual([]);
  });

  it('has no import cycle, type-only imports included', () => {
    const cycle = findCycle([...byPath.keys()], (path) => {
      const source = byPath.get(path);
      return source === undefined ? [] : importsOf(source);
    });
    expect(cycle).toBeUndefined();
  });

  it('imports files, never the door of another folder', () => {
    const through = sources.flatMap((source) =>
      importsOf(source)
        .filter((path) => /^src\/.*index\.ts$/.test(path))
        .map((path) => `${source.path} imports ${path}`),
    );
    expect(through).toEqual([]);
  });
});

describe('the pure core', () => {
  const impure: Readonly<Record<string, RegExp>> = {
    async: /\basync\b|\bawait\b|\bPromise\b/,
    clock: /\bDate\.now\b|\bnew Date\(\)|\bperformance\b/,
    chance: /\bMath\.random\b|\brandomUUID\b/,
    timers: /\bsetTimeout\b|\bsetInterval\b|\bsetImmediate\b|\bqueueMicrotask\b/,
    world: /\bprocess\.|\bconsole\.|\bglobalThis\b|\bfetch\(/,
  };

  for (const [what, pattern] of Object.entries(impure)) {
    it(`has no ${what}`, () => {
      const found = sources.filter((source) => isPure(source) && pattern.test(codeOf(source))).map(({ path }) => path);
      expect(found).toEqual([]);
    });
  }

  it('imports nothing of Node but the hash of base/digest.ts', () => {
    const found = sources
      .filter((source) => isPure(source) && source.path !== 'src/base/digest.ts')
      .filter((source) => importsOf(source).some((path) => path.startsWith('node:')))
      .map(({ path }) => path);
    expect(found).toEqual([]);
  });

  it('keeps heavy packages out of what is loaded with the engine', () => {
    const heavy = ['openai', '@opentelemetry', '@modelcontextprotocol', 'commander', 'vitest'];
    const roots = ['src/index.ts', 'src/runtime/create-engine.ts', 'src/testing/index.ts'];
    const loaded = new Set(roots);
    for (const path of loaded) {
      const source = byPath.get(path);
      for (const each of source === undefined ? [] : loadedBy(source)) loaded.add(each);
    }
    expect([...loaded].filter((path) => heavy.some((name) => path.startsWith(name)))).toEqual([]);
    expect(loaded.size).toBeGreaterThan(100);
  });
});
