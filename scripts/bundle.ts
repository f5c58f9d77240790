// Bundles the published code: the library, whose packages its users install, and the command line, which contains every package.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import { builtins } from './bundle/builtins.ts';
import { listPackages } from './bundle/bundled-packages.ts';
import { type ChunkRows, chunksOf, sourceFile } from './bundle/chunks.ts';
import { dependencies } from './bundle/dependencies.ts';
import { ownValidators, validatorsOf } from './bundle/validators.ts';

const root = join(import.meta.dirname, '..');

/** Modules that `ownModule` loads by these names. */
const libraryEntries = [
  'index',
  'lisp/index',
  'testing/index',
  'otel/index',
  'capabilities/sqlite/process',
  'capabilities/thread/program',
  'otel/sdk/program',
  'postgres/index',
  'postgres/link/program',
];

/** The command line has doors of its own, so that a module of a template shares the engine that runs it. */
const commandLineEntries = [...libraryEntries, 'cli/main', 'cli/start'];

const libraryChunks: ChunkRows = {
  lisp: ['lisp/index'],
  template: ['runtime/load/load-file', 'capabilities/catalog/catalog'],
  engine: ['runtime/create-engine', 'index'],
};

const commandLineChunks: ChunkRows = {
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

const keptNames = { function: true, class: true };

/** Bundles the library into a folder of the checkout, without its packages. */
export async function bundleLibrary(folder: string): Promise<void> {
  const input = inputOf(libraryEntries);
  const { plugin, groups } = chunksOf(libraryChunks, libraryEntries);
  await bundleModules(folder, {
    input,
    plugins: [builtins, dependencies, ownValidators, plugin, listPackages()],
    groups,
    isCompact: false,
  });
}

/**
 * Bundles the command line with its packages into a folder of the checkout.
 * @param more further entries by their names
 */
export async function bundle(
  folder: string,
  more: Readonly<Record<string, string>> = {},
  plugins: readonly Plugin[] = [],
): Promise<void> {
  const input = { ...inputOf(commandLineEntries), ...more };
  const { plugin, groups } = chunksOf(commandLineChunks, commandLineEntries);
  await bundleModules(folder, { input, plugins: [builtins, plugin, ...plugins], groups, isCompact: true });
}

function inputOf(entries: readonly string[]): Record<string, string> {
  return Object.fromEntries(entries.map((name) => [name, sourceFile(name)]));
}

interface BundleOptions {
  readonly input: Record<string, string>;
  readonly plugins: Plugin[];
  readonly groups: ReturnType<typeof chunksOf>['groups'];
  /** Minified, save the names of functions and classes, which stack traces show. */
  readonly isCompact: boolean;
}

async function bundleModules(folder: string, { input, plugins, groups, isCompact }: BundleOptions): Promise<void> {
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins,
    // The token counter exists only when a user has installed it.
    ssr: { noExternal: true, external: ['gpt-tokenizer', 'pg-native'] },
    build: {
      ssr: true,
      ssrEmitAssets: true,
      outDir: folder,
      target: 'node24',
      minify: false,
      rolldownOptions: {
        input,
        // A lazy import of a module that is loaded anyway.
        checks: { ineffectiveDynamicImport: false },
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          ...(isCompact
            ? { minify: { compress: { keepNames: keptNames }, mangle: { keepNames: keptNames } } }
            : { comments: { jsdoc: false } }),
          codeSplitting: { groups },
        },
      },
    },
  });

  // `installation.ts` finds folders relative to itself.
  const [place] = globSync(`${folder}/**/*.js`, { cwd: root }).filter((file) =>
    /new URL\(["'`]\.\.\/\.\.\/["'`], ?import\.meta\.url\)/.test(readFileSync(join(root, file), 'utf8')),
  );
  if (!place?.startsWith(join(folder, 'chunks'))) throw new Error(`installation.ts is bundled into ${place}`);
}

if (import.meta.main) {
  await bundleLibrary('dist');
  await bundle('dist-cli', {}, [validatorsOf('dist'), listPackages()]);
}
