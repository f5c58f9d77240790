// The files of a store, which no run may read or write, whatever its roots are.
import { basename, dirname, join, resolve } from 'node:path';
import { APPLICATION_ID } from './sqlite-schema.ts';

const TOKEN_FILE = 'inspector-token';

/** The file with the token for the address of the inspector. */
export function tokenFileOf(store: string): string {
  return join(dirname(store), TOKEN_FILE);
}

/** The folder for the last listings of MCP servers. */
export function listingsBeside(store: string): string {
  return join(dirname(store), 'mcp');
}

/** Absolute paths. SQLite's files beside a store have its name and an ending: `-wal`, `-shm`, `-journal`. */
export function ownFilesOf(store: string): readonly string[] {
  return [resolve(store), resolve(tokenFileOf(store)), resolve(listingsBeside(store))];
}

/** True for the token file of any store. */
export function isTokenFile(path: string): boolean {
  return basename(path) === TOKEN_FILE;
}

/** SQLite writes its own name into the first 16 bytes of a database, and the application's id into bytes 68 to 71. */
export const STORE_HEADER_BYTES = 72;

export function isStoreHeader(head: Buffer): boolean {
  return (
    head.length >= STORE_HEADER_BYTES &&
    head.toString('latin1', 0, 16) === 'SQLite format 3\0' &&
    head.readUInt32BE(68) === APPLICATION_ID
  );
}
