// Bundles what is published: a module for each door and each program, few for what they share, and one for each thing that is loaded when it is needed.
import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';

const root = join(import.meta.dirname, '..');
const source = (name: string): string => join(root, 'src', `${name}.ts`);
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};

/** Modules that are found by their address; `ownModule` knows them by these names. */
const entries = [
  'index',
  'lisp/index',
  'testing/index',
  'otel/index',
  'cli/main',
  'capabilities/sqlite/process',
  'capabilities/thread/program',
];

/**
 * Modules of one row are bundled together with their imports, save those of the rows above: Node takes half a
 * millisecond to load each module, however small.
 */
const together: Readonly<Record<string, readonly string[]>> = {
  front: ['cli/main', 'runtime/version'],
  template: [
    'runtime/load-file',
    'capabilities/catalog/catalog',
    'capabilities/mcp/listing-cache',
    'capabilities/mcp/offline-tools',
  ],
  command: ['cli/dispatch', 'cli/load-template', 'cli/commands/validate'],
  engine: ['runtime/create-engine'],
  run: ['cli/open-engine', 'cli/commands/run'],
};

/** Node's own modules, without a reading of all their names: with one, `node:http` brings `fetch` and 20 ms. */
const builtins: Plugin = {
  name: 'builtins',
  enforce: 'pre',
  // That one the bundler imports into its own runtime.
  resolveId: (id) => (isBuiltin(id) && id !== 'node:module' ? `${BUILTIN}${id.replace(/^node:/, '')}` : undefined),
  load: (id) =>
    id.startsWith(BUILTIN)
      ? `module.exports = process.getBuiltinModule('node:${id.slice(BUILTIN.length)}');`
      : undefined,
};
const BUILTIN = '\0builtin:';

type Graph = (id: string) => { readonly importedIds: readonly string[] } | null;

/** Modules to the name of their bundle. */
function bundlesOf(graph: Graph): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const take = (id: string, name: string): void => {
    if (found.has(id)) return;
    found.set(id, id.startsWith(BUILTIN) ? 'front' : name);
    for (const each of graph(id)?.importedIds ?? []) take(each, name);
  };
  for (const [name, modules] of Object.entries(together)) for (const each of modules) take(source(each), name);
  for (const each of entries) found.delete(source(each));
  return found;
}

let bundles: ReadonlyMap<string, string> = new Map();
const bundling: Plugin = {
  name: 'bundling',
  buildEnd() {
    bundles = bundlesOf((id) => this.getModuleInfo(id));
  },
};

/** Bundles the sources, and `more` entries by their names, into a folder of the checkout. */
export async function bundle(folder: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [builtins, bundling],
    // Bundles contain every package but the dependencies; the counter of tokens is there if a user has installed it.
    ssr: { noExternal: true, external: [...Object.keys(dependencies), 'gpt-tokenizer'] },
    build: {
      ssr: true,
      outDir: folder,
      target: 'node24',
      minify: false,
      license: { fileName: 'third-party-licenses.md' },
      rolldownOptions: {
        input: { ...Object.fromEntries(entries.map((name) => [name, source(name)])), ...more },
        // Where one part loads lazily what another has loaded anyway.
        checks: { ineffectiveDynamicImport: false },
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          codeSplitting: {
            // The earlier ones are to take first what several need.
            groups: Object.keys(together).map((name, nth, all) => ({
              name,
              priority: all.length - nth,
              test: (id) => bundles.get(id) === name,
            })),
          },
        },
      },
    },
  });

  // `installation.ts` counts folders from where it is.
  const [place] = globSync(`${folder}/**/*.js`, { cwd: root }).filter((file) =>
    readFileSync(join(root, file), 'utf8').includes('new URL("../../", import.meta.url)'),
  );
  if (!place?.startsWith(join(folder, 'chunks'))) throw new Error(`installation.ts is bundled into ${place}`);
}

if (import.meta.main) await bundle('dist');
