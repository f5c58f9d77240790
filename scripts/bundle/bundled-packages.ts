// A plugin that writes which packages a bundle contains, from the modules that the bundler really took.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin } from 'vite';

/** The file in a bundle's folder that lists the folders of its packages, relative to the checkout. */
export const BUNDLED = 'bundled-packages.json';

const root = join(import.meta.dirname, '../..');

/** @param folder the folder of the bundle, which keeps its list until the bill of materials has read it */
export function listPackages(): Plugin {
  const found = new Set<string>();
  return {
    name: 'list-packages',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        for (const [id, { renderedLength }] of Object.entries(chunk.modules)) {
          const folder = renderedLength > 0 ? packageFolder(id) : undefined;
          if (folder !== undefined) found.add(relative(root, folder).replaceAll('\\', '/'));
        }
      }
      this.emitFile({ type: 'asset', fileName: BUNDLED, source: JSON.stringify([...found].sort()) });
    },
  };
}

/** The packages of a bundle that `listPackages` has listed. */
export function readPackages(folder: string): readonly string[] {
  return JSON.parse(readFileSync(join(root, folder, BUNDLED), 'utf8')) as readonly string[];
}

/** Undefined for modules of our own and of the bundler. */
function packageFolder(id: string): string | undefined {
  return /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id)?.[1];
}
