// The version of this package.
import { readFileSync } from 'node:fs';
import { installation } from '../../capabilities/installation.ts';

export function version(): string {
  const text = readFileSync(new URL('package.json', installation), 'utf8');
  const { version: found } = JSON.parse(text) as { readonly version: string };
  return found;
}
