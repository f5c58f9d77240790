// Tests whether a path is a folder or lies inside it.
import { isAbsolute, relative, sep } from 'node:path';

/** Both paths are absolute, with all links resolved. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
