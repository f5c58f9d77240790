// A plugin that takes Node's own modules without listing their names, because a listing of `node:http` loads `fetch`, which takes 20 ms.
import { isBuiltin } from 'node:module';
import type { Plugin } from 'vite';

/** The start of the ids of Node's own modules in a bundle. */
export const BUILTIN = '\0builtin:';

export const builtins: Plugin = {
  name: 'builtins',
  enforce: 'pre',
  // The bundler imports `node:module` into its own runtime.
  resolveId: (id) => (isBuiltin(id) && id !== 'node:module' ? `${BUILTIN}${id.replace(/^node:/, '')}` : undefined),
  load: (id) =>
    id.startsWith(BUILTIN)
      ? `module.exports = process.getBuiltinModule('node:${id.slice(BUILTIN.length)}');`
      : undefined,
};
