// File access confined to granted roots: the only way in which the catalog touches the disk.
import { randomUUID } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { LOCK_FILE } from '../template/lock/lock-file.ts';
import { CapabilityError, systemCode } from './capability-error.ts';
import { type Listing, listFolder } from './list-folder.ts';
import { ownPlaces } from './own-places.ts';
import { missingOrUnreadable, resolveInside, unreadable, unwritable } from './roots.ts';

const OWN = 'what belongs to runs is kept there';
const LOCKED = 'a run may not change what it is held against';

/** Every method may throw FILE_OUTSIDE_ROOTS, FILE_NOT_FOUND, FILE_UNREADABLE or, when writing, FILE_UNWRITABLE. */
export interface FileAccess {
  /** The absolute path, every link followed. For reading it must exist. */
  resolve(path: string, use: 'read' | 'write'): Promise<string>;
  /** Files of a folder, hidden ones not, by path. @throws CapabilityError FOLDER_TOO_LARGE */
  list(folder: string, options?: { readonly recursive?: boolean }): Promise<Listing>;
  /** The whole file. @throws CapabilityError FILE_TOO_LARGE above `maxBytes` */
  read(path: string, maxBytes: number): Promise<Buffer>;
  /** The first bytes of a file, and how many it has. */
  head(path: string, maxBytes: number): Promise<{ readonly head: Buffer; readonly bytes: number }>;
  /** The file in pieces; a reader that goes on for ever is stopped by the signal. */
  stream(path: string, signal: AbortSignal): Promise<Readable>;
  /** Replaces the file in one move and makes its folders; answers its size in bytes. */
  write(path: string, content: string | Uint8Array): Promise<number>;
  /** Adds a line to the file's end and makes its folders; a line that was cut off before it stays by itself. */
  append(path: string, line: string): Promise<void>;
  /** Whether there was a file to remove: the one behind a link, which then leads nowhere. */
  remove(path: string): Promise<boolean>;
}

/** Roots and paths are relative to `base`. `own`: files and folders of the engine's, absolute, which are neither read nor written. Lock files are not written. */
export function confine(roots: readonly string[], base: string, own: readonly string[] = []): FileAccess {
  const places = ownPlaces(own);
  const writable = async (path: string): Promise<string> => {
    const resolved = await resolveInside(path, roots, base);
    if (await places.claims(resolved)) throw unwritable(path, new Error(OWN));
    // Also where names differ in case alone and mean the same file.
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
  /** A pipe or a device would never come to its end. */
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
      if (bytes > maxBytes) {
        throw new CapabilityError(
          'FILE_TOO_LARGE',
          `"${path}" has ${bytes} bytes; at most ${maxBytes} are read whole`,
          {
            retry: 'never',
          },
        );
      }
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
      return createReadStream(resolved, { signal });
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
