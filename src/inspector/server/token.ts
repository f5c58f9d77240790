// The token in the page's address: kept beside the store, so that a page finds back after the server was started again.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SHAPE = /^[\w-]{43}$/;

/** For the user alone, as the folder of a store is. */
export function tokenFor(store: string): string {
  const file = join(dirname(store), 'inspector-token');
  const known = read(file);
  if (known !== undefined && SHAPE.test(known)) return known;
  const token = randomBytes(32).toString('base64url');
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, token, { mode: 0o600 });
  return token;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
