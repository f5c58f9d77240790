// Builds the page of the inspector into dist-ui/ atomically: readers find the old page or the new one.
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
  // The page is served under a token, so its links are relative.
  base: './',
  // The page folds events with the engine's own code, which needs only a hash from Node.
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
