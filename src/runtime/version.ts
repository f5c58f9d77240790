// Which version this is.
import { readFileSync } from 'node:fs';

/** From the package's own package.json, two folders up both in the sources and when built. */
export function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version: found } = JSON.parse(text) as { readonly version: string };
  return found;
}
