// Builds the page of the inspector into dist-ui/, in one go: whoever reads the folder meanwhile finds the old page or the new one.
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'dist-ui');
const fresh = join(root, `dist-ui-${process.pid}`);

await build({
  root: join(root, 'src/inspector/page'),
  configFile: false,
  logLevel: 'warn',
  // The page lies under a token: it knows its files by where it is itself.
  base: './',
  // The engine's own code folds the events of a run there; all that it takes of Node is a hash.
  resolve: { alias: { 'node:crypto': join(root, 'src/inspector/page/sha-256.ts') } },
  worker: { format: 'es' },
  build: {
    outDir: fresh,
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
rmSync(folder, { recursive: true, force: true });
renameSync(fresh, folder);
