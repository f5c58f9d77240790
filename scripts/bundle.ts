// Bundles the published code: a module for each entry point and program, few shared modules, and one for each lazy import.
import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';

const root = join(import.meta.dirname, '..');
const source = (name: string): string => join(root, 'src', `${name}.ts`);
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};

/** Modules that `ownModule` loads by these names. */
const entries = [
  'index',
  'lisp/index',
  'testing/index',
  'otel/index',
  'cli/main',
  'capabilities/sqlite/process',
  'capabilities/thread/program',
  'otel/sdk/program',
];

/**
 * Modules of one row are bundled together with their imports, save those of the rows above: Node takes half a
 * millisecond to load each module, however small.
 */
const together: Readonly<Record<string, readonly string[]>> = {
  front: ['cli/main', 'runtime/journal/package-version'],
  template: [
    'runtime/load/load-file',
    'capabilities/catalog/catalog',
    'capabilities/mcp/listing-cache',
    'capabilities/mcp/offline-tools',
  ],
  command: ['cli/dispatch', 'cli/load-template', 'cli/commands/validate'],
  engine: ['runtime/create-engine'],
  run: ['cli/open-engine', 'cli/commands/run'],
};

/** Imports Node's own modules without listing their names, because a listing of `node:http` loads `fetch`, which takes 20 ms. */
const builtins: Plugin = {
  name: 'builtins',
  enforce: 'pre',
  // The bundler imports this module into its own runtime.
  resolveId: (id) => (isBuiltin(id) && id !== 'node:module' ? `${BUILTIN}${id.replace(/^node:/, '')}` : undefined),
  load: (id) =>
    id.startsWith(BUILTIN)
      ? `module.exports = process.getBuiltinModule('node:${id.slice(BUILTIN.length)}');`
      : undefined,
};
const BUILTIN = '\0builtin:';

type Graph = (id: string) => { readonly importedIds: readonly string[] } | null;

/** The bundle names by module. */
function bundlesOf(graph: Graph): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const known = (name: string): string => {
    const id = source(name);
    if (graph(id) === null) throw new Error(`no program loads ${id}; name the module that took its place`);
    return id;
  };
  const take = (id: string, name: string): void => {
    if (found.has(id)) return;
    found.set(id, id.startsWith(BUILTIN) ? 'front' : name);
    for (const each of graph(id)?.importedIds ?? []) take(each, name);
  };
  for (const [name, modules] of Object.entries(together)) for (const each of modules) take(known(each), name);
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
    // Bundles contain every package except the dependencies; the token counter exists only when a user has installed it.
    ssr: { noExternal: true, external: [...Object.keys(dependencies), 'gpt-tokenizer'] },
    build: {
      ssr: true,
      outDir: folder,
      target: 'node24',
      minify: false,
      license: { fileName: 'third-party-licenses.md' },
      rolldownOptions: {
        input: { ...Object.fromEntries(entries.map((name) => [name, source(name)])), ...more },
        // A lazy import of a module that is loaded anyway.
        checks: { ineffectiveDynamicImport: false },
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          codeSplitting: {
            // Earlier bundles take shared modules first.
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

  // `installation.ts` finds folders relative to itself.
  const [place] = globSync(`${folder}/**/*.js`, { cwd: root }).filter((file) =>
    readFileSync(join(root, file), 'utf8').includes('new URL("../../", import.meta.url)'),
  );
  if (!place?.startsWith(join(folder, 'chunks'))) throw new Error(`installation.ts is bundled into ${place}`);
}

if (import.meta.main) await bundle('dist');
