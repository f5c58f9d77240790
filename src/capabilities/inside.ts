// Whether a path lies within a folder, or is it.
import { isAbsolute, relative, sep } from 'node:path';

/** Both absolute, every link followed. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
