// Writes a lock file and renames it into place, so that no reader sees half of it.
import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { fileReason } from '../../base/file-reason.ts';
import { type Issue, issue } from '../../base/issue.ts';
import { type LockFile, lockText } from '../../template/lock/lock-file.ts';
import { shownPath } from './lock-near.ts';

/** Returns LOCK_UNWRITABLE when the file cannot be written. */
export async function writeLock(path: string, lock: LockFile): Promise<Issue | undefined> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, lockText(lock));
    await rename(draft, path);
    return undefined;
  } catch (thrown) {
    await rm(draft, { force: true }).catch(() => undefined);
    return issue('LOCK_UNWRITABLE', `${shownPath(path)} cannot be written: ${fileReason(thrown)}`, {
      hint: 'give yourself the right to write there',
    });
  }
}
