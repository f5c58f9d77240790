// The token in the page's address: kept beside the store, so that an open page still works after the server restarts.
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { tokenFileOf } from '../../store/store-files.ts';

const SHAPE = /^[\w-]{43}$/;

/** Only the user may read the token's file, like the store's folder. Without a file the token lasts until the server ends. */
export function tokenFor(store: string): string {
  const file = tokenFileOf(store);
  const known = read(file);
  if (known !== undefined && SHAPE.test(known)) {
    attempt(() => chmodSync(file, 0o600));
    return known;
  }
  const token = randomBytes(32).toString('base64url');
  attempt(() => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, token, { mode: 0o600 });
  });
  return token;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** The inspector also works on a disk that cannot be written. */
function attempt(write: () => void): void {
  try {
    write();
  } catch {
    // The token still works for this server.
  }
}
