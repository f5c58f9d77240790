// Keeps the compiled validators in one file of the library, because every module that contains them grows by half a megabyte.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { minifySync, type Plugin } from 'vite';
import { lateModule } from './dependencies.ts';

const VALIDATORS = 'generated-validators.js';
const OWN = '\0own-validators';

const root = join(import.meta.dirname, '../..');

/** For the library: writes the file, and loads it when a template is first checked. */
export const ownValidators: Plugin = {
  name: 'own-validators',
  enforce: 'pre',
  resolveId: (id) => (basename(id) === VALIDATORS ? OWN : undefined),
  load(id) {
    if (id !== OWN) return undefined;
    const source = readFileSync(join(root, 'src/template/schema', VALIDATORS), 'utf8');
    const { code } = minifySync(VALIDATORS, source, { module: true, compress: false, mangle: { keepNames: true } });
    this.emitFile({ type: 'asset', fileName: `chunks/${VALIDATORS}`, source: code });
    const names = [...source.matchAll(/export \{ \w+ as (\w+) \}/g)].map(([, name = '']) => name);
    return lateModule(`./${VALIDATORS}`, names);
  },
};

/** For the command line of the package: imports the file of the library. */
export function validatorsOf(library: string): Plugin {
  const file = join(root, library, 'chunks', VALIDATORS);
  return {
    name: 'shared-validators',
    enforce: 'pre',
    resolveId: (id) => (basename(id) === VALIDATORS ? { id: file, external: 'relative' } : undefined),
  };
}
