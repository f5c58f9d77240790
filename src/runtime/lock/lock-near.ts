// Finds and reads the lock file of a template: the nearest one in its folder or above, up to the root of its project.
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileReason } from '../../base/file-reason.ts';
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

/** Undefined when there is no lock file. `folder`: the absolute path of the template's folder. Issues: LOCK_UNREADABLE, LOCK_VERSION_UNKNOWN. */
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

/** The path for a new lock file: the root of the project. */
export async function lockPathFor(folder: string): Promise<string> {
  return join((await projectOf(folder)).root, LOCK_FILE);
}

/** Undefined when the file does not exist. */
async function readLockAt(path: string): Promise<Result<LockFile | undefined>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return good(undefined);
    return bad([
      issue('LOCK_UNREADABLE', `${shownPath(path)} cannot be read: ${fileReason(thrown)}`, {
        hint: 'give yourself the right to read it, or move it away',
      }),
    ]);
  }
  return readLock(text, shownPath(path));
}

/** The path for messages: relative to the working directory when it is inside. */
export function shownPath(path: string): string {
  const way = relative('.', path);
  return way.startsWith('..') ? path : way;
}
