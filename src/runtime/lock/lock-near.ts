// Finds and reads the lock file of a template: the nearest one, beside it or in a folder above, up to the root of its project.
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { issue } from '../../base/issue.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { isInside } from '../../capabilities/is-inside.ts';
import { LOCK_FILE, type LockFile, readLock } from '../../template/lock/lock-file.ts';
import { projectOf, truePath } from '../ports/confinement.ts';

export interface FoundLock {
  /** Absolute. */
  readonly path: string;
  readonly lock: LockFile;
}

/** Undefined where there is none. Issues: LOCK_UNREADABLE, LOCK_VERSION_UNKNOWN. `folder` is the template's, absolute. */
export async function lockNear(folder: string): Promise<Result<FoundLock | undefined>> {
  const { root } = await projectOf(folder);
  for (let at = await truePath(folder); isInside(root, at); at = dirname(at)) {
    const path = join(at, LOCK_FILE);
    const read = await readLockAt(path);
    if (!read.ok || read.value !== undefined) return read.ok ? good(read.value && { path, lock: read.value }) : read;
    if (dirname(at) === at) break;
  }
  return good(undefined);
}

/** Where a lock file is written for templates of a folder that have none: the root of their project. */
export async function lockPathFor(folder: string): Promise<string> {
  return join((await projectOf(folder)).root, LOCK_FILE);
}

/** Undefined where there is no such file. */
async function readLockAt(path: string): Promise<Result<LockFile | undefined>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return good(undefined);
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    return bad([
      issue('LOCK_UNREADABLE', `${shownPath(path)} cannot be read: ${why}`, {
        hint: 'give yourself the right to read it, or move it away',
      }),
    ]);
  }
  return readLock(text, shownPath(path));
}

/** As people name it who work in this folder. */
export function shownPath(path: string): string {
  const way = relative('.', path);
  return way.startsWith('..') ? path : way;
}
