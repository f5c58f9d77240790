// Resolves paths through symbolic links, and refuses paths outside the granted roots.
import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { didYouMean } from '../base/nearest.ts';
import { CapabilityError, messageOf, systemCode } from './capability-error.ts';
import { isInside } from './is-inside.ts';

/**
 * The absolute path behind `path`, with all links resolved. For a path that does not exist yet, links are resolved up to its
 * nearest existing folder.
 * @throws CapabilityError FILE_OUTSIDE_ROOTS, FILE_UNREADABLE
 */
export async function resolveInside(path: string, roots: readonly string[], base: string): Promise<string> {
  const found = await followLinks(resolve(base, path), path);
  for (const root of roots) {
    if (isInside(await followLinks(resolve(base, root), root), found)) return found;
  }
  const granted = roots.length === 0 ? 'no folder is granted' : `granted: ${roots.join(', ')}`;
  throw new CapabilityError(
    'FILE_OUTSIDE_ROOTS',
    `"${path}" lies outside the granted folders (${granted}); name its folder under roots: in the template`,
    { retry: 'never' },
  );
}

async function followLinks(path: string, shown: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (thrown) {
    const parent = dirname(path);
    if (systemCode(thrown) !== 'ENOENT' || parent === path) throw unreadable(shown, thrown);
    // A dangling link is no new file: writing through it would create the link's target.
    if (await exists(path)) throw unreadable(shown, new Error('it is a link that leads nowhere'));
    return join(await followLinks(parent, shown), basename(path));
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ELOOP: 'its symbolic links go in a circle',
  ENAMETOOLONG: 'its name is too long',
  EMFILE: 'too many files are open',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
  ERR_INVALID_ARG_VALUE: 'its path holds a NUL character',
};

function reasonOf(thrown: unknown): string {
  return REASONS[systemCode(thrown) ?? ''] ?? messageOf(thrown);
}

/** A retry can only help against temporary errors. */
function retryOf(thrown: unknown): 'may' | 'never' {
  return ['EMFILE', 'ENFILE', 'EBUSY', 'EIO', 'EAGAIN'].includes(systemCode(thrown) ?? '') ? 'may' : 'never';
}

export function unreadable(shown: string, thrown: unknown): CapabilityError {
  if (thrown instanceof CapabilityError) return thrown;
  return new CapabilityError('FILE_UNREADABLE', `cannot read "${shown}": ${reasonOf(thrown)}`, {
    retry: retryOf(thrown),
  });
}

export function unwritable(shown: string, thrown: unknown): CapabilityError {
  if (thrown instanceof CapabilityError) return thrown;
  return new CapabilityError('FILE_UNWRITABLE', `cannot write "${shown}": ${reasonOf(thrown)}`, {
    retry: retryOf(thrown),
  });
}

/** FILE_NOT_FOUND with the nearest name in that folder; FILE_UNREADABLE for any other error. */
export async function missingOrUnreadable(shown: string, resolved: string, thrown: unknown): Promise<CapabilityError> {
  if (systemCode(thrown) !== 'ENOENT') return unreadable(shown, thrown);
  const folder = dirname(resolved);
  const neighbours = await readdir(folder).catch(() => undefined);
  const hint = neighbours === undefined ? 'nor is its folder' : didYouMean(basename(resolved), neighbours);
  return new CapabilityError('FILE_NOT_FOUND', `"${shown}" is not there${hint === undefined ? '' : `; ${hint}`}`, {
    retry: 'never',
  });
}
