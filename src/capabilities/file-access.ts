// File access confined to the granted roots: the only way in which the catalog touches the disk.
import { randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { createReadStream, type Stats } from 'node:fs';
import { mkdir, open, readFile, realpath, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { isStoreHeader, isTokenFile, STORE_HEADER_BYTES } from '../store/store-files.ts';
import { LOCK_FILE } from '../template/lock/lock-file.ts';
import { CapabilityError, systemCode } from './capability-error.ts';
import { isInside } from './is-inside.ts';
import { type FolderListing, listFolder } from './list-folder.ts';
import { missingOrUnreadable, resolveInside, unreadable, unwritable } from './roots.ts';

const OWN = 'the engine keeps its runs there';
const LOCKED = 'a run may not change its lock file';

/** Every method may throw FILE_OUTSIDE_ROOTS, FILE_NOT_FOUND, FILE_UNREADABLE or, when writing, FILE_UNWRITABLE. */
export interface FileAccess {
  /** The absolute path with all links resolved. For reading, the file must exist. */
  resolve(path: string, use: 'read' | 'write'): Promise<string>;
  /** Visible files of a folder, sorted by path. @throws CapabilityError FOLDER_TOO_LARGE */
  list(folder: string, options?: { readonly recursive?: boolean }): Promise<FolderListing>;
  /** The whole file. @throws CapabilityError FILE_TOO_LARGE above `maxBytes` */
  read(path: string, maxBytes: number): Promise<Buffer>;
  /** The first bytes of a file, and its size. */
  head(path: string, maxBytes: number): Promise<{ readonly head: Buffer; readonly bytes: number }>;
  /** The file in chunks. The signal ends the stream. */
  stream(path: string, signal: AbortSignal): Promise<Readable>;
  /** Replaces the file atomically and creates its folders. Returns the size in bytes. */
  write(path: string, content: string | Uint8Array): Promise<number>;
  /** Appends a line and creates the folders. A truncated last line of the file stays a line of its own. */
  append(path: string, line: string): Promise<void>;
  /** True when a file was removed. Removing a link removes the file behind it; the link stays. */
  remove(path: string): Promise<boolean>;
}

/**
 * Roots and paths are relative to `base`. Lock files are read-only.
 * @param own absolute files and folders of the engine, which nobody may read or write
 */
export function confine(roots: readonly string[], base: string, own: readonly string[] = []): FileAccess {
  const places = ownPlaces(own);
  const writable = async (path: string): Promise<string> => {
    const resolved = await resolveInside(path, roots, base);
    if (await places.claims(resolved)) throw unwritable(path, new Error(OWN));
    // On some file systems, names that differ only in case mean the same file.
    if (basename(resolved).toLowerCase() === LOCK_FILE) throw unwritable(path, new Error(LOCKED));
    return resolved;
  };
  const existing = async (path: string): Promise<{ readonly resolved: string; readonly about: Stats }> => {
    const resolved = await resolveInside(path, roots, base);
    if (await places.claims(resolved)) throw unreadable(path, new Error(OWN));
    try {
      return { resolved, about: await stat(resolved) };
    } catch (thrown) {
      throw await missingOrUnreadable(path, resolved, thrown);
    }
  };
  /** Refuses pipes and devices, which never end. */
  const file = async (path: string): Promise<{ readonly resolved: string; readonly bytes: number }> => {
    const { resolved, about } = await existing(path);
    if (!about.isFile()) throw unreadable(path, new Error(`it is ${about.isDirectory() ? 'a folder' : 'no file'}`));
    return { resolved, bytes: about.size };
  };

  return {
    async resolve(path, use) {
      return use === 'read' ? (await existing(path)).resolved : writable(path);
    },

    async list(folder, options = {}) {
      const { resolved, about } = await existing(folder);
      if (!about.isDirectory()) throw unreadable(folder, new Error('it is a file, not a folder'));
      const inside = (path: string): Promise<string> => resolveInside(path, roots, base);
      return listFolder({ folder, resolved, base, recursive: options.recursive ?? false, inside, isOwn: places.holds });
    },

    async read(path, maxBytes) {
      const { resolved, bytes } = await file(path);
      if (bytes > maxBytes) throw tooLarge(path, bytes, maxBytes);
      return readFile(resolved).catch((thrown: unknown) => {
        throw unreadable(path, thrown);
      });
    },

    async head(path, maxBytes) {
      const { resolved, bytes } = await file(path);
      try {
        await using handle = await open(resolved);
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(bytes, maxBytes)), { position: 0 });
        return { head: buffer.subarray(0, bytesRead), bytes };
      } catch (thrown) {
        throw unreadable(path, thrown);
      }
    },

    async stream(path, signal) {
      const { resolved } = await file(path);
      const stream = createReadStream(resolved, { signal });
      // Whoever reads the stream gets its error. Without a listener, an abort before the first read ends the process.
      stream.on('error', () => undefined);
      return stream;
    },

    async write(path, content) {
      const resolved = await writable(path);
      const unfinished = join(dirname(resolved), `.${basename(resolved)}.${randomUUID()}`);
      try {
        await mkdir(dirname(resolved), { recursive: true });
        await writeFile(unfinished, content, { flag: 'wx' });
        await rename(unfinished, resolved);
      } catch (thrown) {
        await rm(unfinished, { force: true }).catch(() => undefined);
        throw unwritable(path, thrown);
      }
      return Buffer.byteLength(content);
    },

    async append(path, line) {
      const resolved = await writable(path);
      try {
        await mkdir(dirname(resolved), { recursive: true });
        await using handle = await open(resolved, 'a+');
        const { size } = await handle.stat();
        const { buffer } = await handle.read(Buffer.alloc(1), { position: Math.max(0, size - 1) });
        const isWhole = size === 0 || buffer.toString() === '\n';
        await handle.write(`${isWhole ? '' : '\n'}${line}\n`);
      } catch (thrown) {
        throw unwritable(path, thrown);
      }
    },

    async remove(path) {
      const resolved = await writable(path);
      try {
        await unlink(resolved);
        return true;
      } catch (thrown) {
        if (systemCode(thrown) === 'ENOENT') return false;
        throw unwritable(path, thrown);
      }
    },
  };
}

function tooLarge(path: string, bytes: number, maxBytes: number): CapabilityError {
  const message = `"${path}" has ${bytes} bytes; at most ${maxBytes} are read whole`;
  return new CapabilityError('FILE_TOO_LARGE', message, { retry: 'never' });
}

interface OwnPlaces {
  /** True for a file or folder of the engine, also under the name of a hard link. `found` is absolute, with all links resolved. */
  holds(found: string): Promise<boolean>;
  /** As `holds`; true for any other store as well, recognized by its first bytes. */
  claims(found: string): Promise<boolean>;
}

/** SQLite adds these endings to the name of a database for the files beside it. */
const ENDINGS = ['', '-wal', '-shm', '-journal'];

/** @param own absolute files and folders */
function ownPlaces(own: readonly string[]): OwnPlaces {
  let known: Promise<readonly string[]> | undefined;

  async function holds(found: string): Promise<boolean> {
    known ??= Promise.all(own.flatMap(truePaths)).then((paths) => [...new Set(paths)]);
    if (isTokenFile(found)) return true;
    if ((await known).some((place) => isInside(place, found) || found.startsWith(`${place}-`))) return true;
    const about = await statOf(found);
    // Only a hard link can give a file of the engine another name.
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

/** The path now, and the path that it will have once it exists. */
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
    // Reading the file will report the reason.
    return false;
  }
}

async function isBesideStore(path: string): Promise<boolean> {
  const ending = ENDINGS.find((each) => each !== '' && basename(path).endsWith(each));
  return ending !== undefined && (await isStore(path.slice(0, -ending.length)));
}
