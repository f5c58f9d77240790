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
  ['index.ts', 'testing', 'otel', 'postgres'],
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

/** The rooms of a folder in the order of their imports: a room imports earlier rooms only. `.` is the folder itself. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  engine: [
    'record',
    'state',
    'codec',
    'queries',
    'gates',
    'account',
    'values',
    'packet',
    'agent',
    'bound',
    'repair',
    'attempt',
    'plan',
    'step',
    'order',
    '.',
  ],
  runtime: [
    'ports',
    'logs',
    'api',
    'journal',
    'trace',
    'lock',
    'load',
    'perform',
    'drive',
    'begin',
    'order',
    'mission',
    '.',
    'dry',
  ],
};

/** Exceptions to the order of floors: a row may see these on its own level or above, with the reason. */
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

/** `engine/state` of `src/engine/state/fold.ts`; `.` where a file lies in the folder itself. */
function roomOf(path: string): string {
  const parts = path.split('/');
  return parts.length > 3 ? (parts[2] ?? '.') : '.';
}

/** Imports between two rooms of one folder. */
function steps(folder: string): readonly { readonly from: Source; readonly to: string }[] {
  return sources
    .filter(({ path }) => path.startsWith(`src/${folder}/`))
    .flatMap((from) =>
      importsOf(from)
        .filter((to) => to.startsWith(`src/${folder}/`) && roomOf(to) !== roomOf(from.path))
        .map((to) => ({ from, to })),
    );
}

/** Everything that loads with some files. */
function loadedWith(...roots: readonly string[]): readonly string[] {
  const loaded = new Set(roots);
  for (const path of loaded) {
    const source = byPath.get(path);
    for (const each of source === undefined ? [] : loadedBy(source)) loaded.add(each);
  }
  return [...loaded];
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

  it.each(Object.entries(rooms))('lets a room of %s import earlier rooms only', (folder, order) => {
    const found = [...new Set(sources.map(({ path }) => path).filter((path) => path.startsWith(`src/${folder}/`)))];
    expect(found.filter((path) => !order.includes(roomOf(path)))).toEqual([]);
    const back = steps(folder)
      .filter(({ from, to }) => order.indexOf(roomOf(to)) > order.indexOf(roomOf(from.path)))
      .map(({ from, to }) => `${from.path} imports ${to}`);
    expect(back).toEqual([]);
  });

  it.each(floors.flat().filter((folder) => !folder.endsWith('.ts')))(
    'has no circle between the rooms of %s',
    (folder) => {
      // A file that lies in the folder itself is a room of its own.
      const nodeOf = (path: string) => (roomOf(path) === '.' ? path : roomOf(path));
      const links = steps(folder).map(({ from, to }) => [nodeOf(from.path), nodeOf(to)] as const);
      const circle = findCycle([...new Set(links.flat())], (node) =>
        links.filter(([from]) => from === node).map(([, to]) => to),
      );
      expect(circle).toBeUndefined();
    },
  );

  it('has no import cycle, type-only imports included', () => {
    const cycle = findCycle([...byPath.keys()], (path) => {
      const source = byPath.get(path);
      return source === undefined ? [] : importsOf(source);
    });
    expect(cycle).toBeUndefined();
  });

  it('imports files that are there, the page of the inspector too', () => {
    const missing = sources.flatMap((source) =>
      importsOf(source)
        .filter((path) => /^src\/.*\.tsx?$/.test(path) && !byPath.has(path))
        .map((path) => `${source.path} imports ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it('imports files, never the door of another folder', () => {
    const through = sources.flatMap((source) =>
      importsOf(source)
        .filter((path) => /^src\/(?:.*\/)?index\.ts$/.test(path))
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
    const loaded = loadedWith('src/index.ts', 'src/runtime/create-engine.ts', 'src/testing/index.ts');
    expect(loaded.filter((path) => heavy.some((name) => path.startsWith(name)))).toEqual([]);
    expect(loaded.length).toBeGreaterThan(100);
  });
});

describe('the page of the inspector', () => {
  const page = 'src/inspector/page';
  /** The page shows runs: it reads no template, plan or goal. */
  const needless = ['typebox', 'ajv', 'yaml', 'minisearch', 'stemmer', 'src/template/keys/', 'src/template/shape/'];
  /** The panel of a step needs the language for goals with references; only exported pictures need dagre. */
  const later = ['re2js', '@dagrejs/dagre', 'graphology-dag', 'src/lisp/', 'src/goals/split/', 'src/context/shrink'];

  it('begins with what every run needs', () => {
    const loaded = loadedWith(`${page}/main.tsx`);
    expect(loaded.filter((path) => [...needless, ...later].some((name) => path.startsWith(name)))).toEqual([]);
    expect(loaded.length).toBeGreaterThan(100);
  });

  it('never loads the readers of templates and goals', () => {
    const loaded = loadedWith(`${page}/step/step-panel.tsx`);
    expect(loaded.filter((path) => needless.some((name) => path.startsWith(name)))).toEqual([]);
    expect(loaded.length).toBeGreaterThan(100);
  });
});

describe('a schema file', () => {
  const isSchema = (path: string) => path.endsWith('.schema.ts');

  it('gives the code of src/ types and nothing to load', () => {
    const loading = sources
      .filter(({ path }) => !isSchema(path))
      .flatMap((source) =>
        loadedBy(source)
          .filter(isSchema)
          .map((path) => `${source.path} loads ${path}`),
      );
    expect(loading).toEqual([]);
  });

  it('is the only place that names TypeBox', () => {
    const naming = sources.filter((source) => importsOf(source).includes('typebox') && !isSchema(source.path));
    expect(naming.map(({ path }) => path)).toEqual([]);
  });

  it('gives types by imports that name types only', () => {
    const mixed = sources
      .filter(({ path }) => !isSchema(path))
      .filter(({ text }) => /^(?:import|export) (?!type )[^;]*?from '[^']*\.schema\.ts'/m.test(text));
    expect(mixed.map(({ path }) => path)).toEqual([]);
  });
});
