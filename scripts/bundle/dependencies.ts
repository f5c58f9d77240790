// A plugin for the library: packages that its users install stay imports, and slow modules are loaded at their first use.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { minifySync, type Plugin } from 'vite';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

/** The packages that users of the library have or install. */
const installed = new Set([...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)]);

/** CommonJS packages that take long to load, with the exports that we use. */
const latePackages: Readonly<Record<string, readonly string[]>> = {
  'ajv/dist/2020.js': ['Ajv2020'],
  'ajv-formats': ['default'],
};

/** A source file that V8 compiles as a whole. It stays a file of its own. */
const VALIDATORS = 'generated-validators.js';

const LATE = '\0late:';

export const dependencies: Plugin = {
  name: 'dependencies',
  enforce: 'pre',
  resolveId(id) {
    if (latePackages[id] !== undefined) return `${LATE}${id}`;
    if (basename(id) === VALIDATORS) return `${LATE}${VALIDATORS}`;
    return installed.has(packageOf(id)) ? { id, external: true } : undefined;
  },
  load(id) {
    if (!id.startsWith(LATE)) return undefined;
    const name = id.slice(LATE.length);
    if (name !== VALIDATORS) return lateModule(name, latePackages[name] ?? []);
    const source = readFileSync(join(root, 'src/template/schema', VALIDATORS), 'utf8');
    const options = { module: true, compress: false, mangle: { keepNames: true } };
    const { code } = minifySync(VALIDATORS, source, options);
    this.emitFile({ type: 'asset', fileName: `chunks/${VALIDATORS}`, source: code });
    return lateModule(`./${VALIDATORS}`, exportedNames(source));
  },
};

/** The name of a package in an import: `@scope/name` of `@scope/name/part.js`. */
function packageOf(id: string): string {
  const [scope = '', name = ''] = id.split('/');
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
}

function exportedNames(source: string): readonly string[] {
  return [...source.matchAll(/export \{ \w+ as (\w+) \}/g)].map(([, name = '']) => name);
}

/** A module whose exports stand for those of another module, which loads when one of them is first used. */
function lateModule(id: string, names: readonly string[]): string {
  const exported = names.map((name) =>
    // Node's default export of a CommonJS package is all that the package exports.
    name === 'default' ? 'export default late(load);' : `export const ${name} = late(() => load().${name});`,
  );
  return [
    "import { createRequire } from 'node:module';",
    `const load = () => createRequire(import.meta.url)(${JSON.stringify(id)});`,
    `const late = (pick) => new Proxy(function () {}, {
      apply: (_, self, given) => Reflect.apply(pick(), self, given),
      construct: (_, given) => Reflect.construct(pick(), given),
      get: (_, key) => pick()[key],
    });`,
    ...exported,
  ].join('\n');
}
