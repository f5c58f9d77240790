// What belongs to runs: stores of the engine and what lies beside them. No capability reads or writes it, however it is named.
import type { BigIntStats } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isStoreHeader, isTokenFile, STORE_HEADER_BYTES } from '../store/own-files.ts';
import { isInside } from './inside.ts';

export interface OwnPlaces {
  /** By its path, or as the same file under another name. `found` is absolute, every link followed. */
  holds(found: string): Promise<boolean>;
  /** The same, and also any other store, which its first bytes tell. */
  claims(found: string): Promise<boolean>;
}

/** What SQLite keeps beside a database has its name and one of these endings. */
const ENDINGS = ['', '-wal', '-shm', '-journal'];

/** `own`: files and folders, absolute. */
export function ownPlaces(own: readonly string[]): OwnPlaces {
  let known: Promise<readonly string[]> | undefined;

  async function holds(found: string): Promise<boolean> {
    known ??= Promise.all(own.flatMap(truePaths)).then((paths) => [...new Set(paths)]);
    if (isTokenFile(found)) return true;
    if ((await known).some((place) => isInside(place, found) || found.startsWith(`${place}-`))) return true;
    const about = await statOf(found);
    // Only a file with another hard link can be one of ours under a name that is none of ours.
    if (about === undefined || !about.isFile() || about.nlink < 2n) return false;
    for (const each of own.flatMap((place) => ENDINGS.map((ending) => place + ending))) {
      const mine = await statOf(each);
      if (mine?.ino === about.ino && mine.dev === about.dev) return true;
    }
    return false;
  }

  return {
    holds,
    claims: async (found) => (await holds(found)) || (await isStore(found)) || (await isBesideStore(found)),
  };
}

/** Where it is, or will be once it has been made. */
function truePaths(path: string): readonly Promise<string>[] {
  const folder = realpath(dirname(path)).catch(() => dirname(path));
  return [realpath(path).catch(() => path), folder.then((each) => join(each, basename(path)))];
}

function statOf(path: string): Promise<BigIntStats | undefined> {
  return stat(path, { bigint: true }).catch(() => undefined);
}

async function isStore(path: string): Promise<boolean> {
  if ((await statOf(path))?.isFile() !== true) return false;
  try {
    await using handle = await open(path);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(STORE_HEADER_BYTES), { position: 0 });
    return isStoreHeader(buffer.subarray(0, bytesRead));
  } catch {
    // Whoever wants to read it is told why not.
    return false;
  }
}

async function isBesideStore(path: string): Promise<boolean> {
  const ending = ENDINGS.find((each) => each !== '' && basename(path).endsWith(each));
  return ending !== undefined && (await isStore(path.slice(0, -ending.length)));
}
