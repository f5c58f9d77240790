// A plugin for the library: packages that its users install stay imports, and slow ones are loaded at their first use.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as Manifest;

/** The packages that users of the library have or install. */
const installed = new Set([...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)]);

/** CommonJS packages that take long to load, with the exports that we use. */
const latePackages: Readonly<Record<string, readonly string[]>> = {
  'ajv/dist/2020.js': ['Ajv2020'],
  'ajv-formats': ['default'],
};

const LATE = '\0late:';

export const dependencies: Plugin = {
  name: 'dependencies',
  enforce: 'pre',
  resolveId(id) {
    if (latePackages[id] !== undefined) return `${LATE}${id}`;
    return installed.has(packageOf(id)) ? { id, external: true } : undefined;
  },
  load(id) {
    const name = id.startsWith(LATE) ? id.slice(LATE.length) : undefined;
    return name === undefined ? undefined : lateModule(name, latePackages[name] ?? []);
  },
};

/** The name of a package in an import: `@scope/name` of `@scope/name/part.js`. */
function packageOf(id: string): string {
  const [scope = '', name = ''] = id.split('/');
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
}

/** A module whose exports stand for those of another module, which loads when one of them is first used. */
export function lateModule(id: string, names: readonly string[]): string {
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
