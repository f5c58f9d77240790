// Says in one clause why a file could not be read or written.

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'it exists already',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  ELOOP: 'its symbolic links go in a circle',
  ENAMETOOLONG: 'its name is too long',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EBUSY: 'another program uses it',
  ETXTBSY: 'another program uses it',
  EFBIG: 'it is too large',
  EIO: 'the disk does not answer',
};

export const FILE_MISSING = 'there is no such file';

/** `thrown`: the error of a file system. The system's own words are never shown, because they repeat the path and name calls. */
export function fileReason(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  return REASONS[code] ?? (code === '' ? 'the system gives no reason' : `the system answers ${code}`);
}
