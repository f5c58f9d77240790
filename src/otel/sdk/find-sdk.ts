// Finds the package @opentelemetry/sdk-node beside this package, or in the folder of the caller.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { SDK_PACKAGE } from '../environment.ts';

export interface SdkPackage {
  /** The module to load. */
  readonly path: string;
  readonly version: string;
}

/** @param folder where to look when the package is not installed beside this one, as with a global installation */
export function findSdk(folder: string): SdkPackage | undefined {
  for (const from of [import.meta.url, join(folder, 'any.js')]) {
    try {
      const path = createRequire(from).resolve(SDK_PACKAGE);
      return { path, version: versionAt(path) };
    } catch {
      // The package is not installed there.
    }
  }
  return undefined;
}

/** The package does not export its package.json, so its folder is found from its module. */
function versionAt(path: string): string {
  const end = path.lastIndexOf(join('node_modules', SDK_PACKAGE));
  const folder = end < 0 ? dirname(path) : path.slice(0, end + join('node_modules', SDK_PACKAGE).length);
  const { version = '' }: { readonly version?: string } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  return version;
}
