// Builds the page of the inspector into dist-ui/ atomically: readers find the old page or the new one.
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import { listPackages } from './bundle/bundled-packages.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'dist-ui');
const page = join(root, 'src/inspector/page');
const fresh = join(root, `dist-ui-${process.pid}`);

/** Loads the module that opens the stream before the rest of the page. */
const early: Plugin = {
  name: 'early',
  transformIndexHtml: {
    order: 'post',
    handler(_, { bundle }) {
      const chunk = Object.values(bundle ?? {}).find(({ name }) => name === 'early');
      if (chunk === undefined) throw new Error('the page has no module "early"');
      return [
        { tag: 'script', attrs: { type: 'module', async: true, src: `./${chunk.fileName}` }, injectTo: 'head-prepend' },
      ];
    },
  },
};

await build({
  root: page,
  plugins: [early, listPackages()],
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
    rolldownOptions: {
      input: { index: join(page, 'index.html'), early: join(page, 'early.ts') },
    },
    modulePreload: { polyfill: false },
  },
});
rmSync(folder, { recursive: true, force: true });
renameSync(fresh, folder);
