// Lists the files below a granted folder, without following links to other folders.
import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { CapabilityError } from './capability-error.ts';
import { unreadable } from './roots.ts';

export interface FolderListing {
  readonly files: readonly ListedFile[];
  /** Entries that are not listed, and why. */
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[];
}

export interface ListedFile {
  /** Relative to the base when the file lies below it, or when the folder was given as a relative path. */
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
}

interface Walk {
  readonly folder: string;
  readonly resolved: string;
  readonly base: string;
  readonly recursive: boolean;
  readonly inside: (path: string) => Promise<string>;
  /** True for files and folders of the engine, which are not listed. */
  readonly isOwn: (path: string) => Promise<boolean>;
}

const MOST_ENTRIES = 20_000;

export async function listFolder(walk: Walk): Promise<FolderListing> {
  const files: ListedFile[] = [];
  const leftOut: { path: string; reason: string }[] = [];
  const folders = [''];
  for (const folder of folders) {
    for (const entry of await entriesOf(walk, folder)) {
      if (files.length + leftOut.length + folders.length > MOST_ENTRIES) throw tooLarge(walk.folder);
      const below = join(folder, entry.name);
      const path = shown(walk, below);
      const kind = await kindIn(walk, entry, path);
      if (kind === 'file') files.push({ path, name: entry.name, bytes: await sizeOf(walk, path) });
      else if (kind === 'folder') {
        if (walk.recursive) folders.push(below);
      } else leftOut.push({ path, reason: kind });
    }
  }
  return { files, leftOut };
}

async function entriesOf(walk: Walk, folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(join(walk.resolved, folder), { withFileTypes: true }).catch((thrown: unknown) => {
    throw unreadable(shown(walk, folder), thrown);
  });
  return entries.filter((entry) => !entry.name.startsWith('.')).sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function kindIn(walk: Walk, entry: Dirent, path: string): Promise<string> {
  const kind = entry.isSymbolicLink() ? await kindOfLink(walk, path) : kindOf(entry);
  if (kind !== 'file' && kind !== 'folder') return kind;
  return (await walk.isOwn(await walk.inside(path))) ? 'the engine keeps its runs there' : kind;
}

function kindOf(entry: Pick<Dirent, 'isFile' | 'isDirectory'>): string {
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'folder' : 'neither a file nor a folder';
}

async function kindOfLink(walk: Walk, path: string): Promise<string> {
  try {
    const kind = kindOf(await stat(await walk.inside(path)));
    return kind === 'folder' ? 'a link to a folder' : kind;
  } catch (thrown) {
    return thrown instanceof CapabilityError && thrown.code === 'FILE_OUTSIDE_ROOTS'
      ? 'a link that leads outside the granted folders'
      : 'a link that cannot be followed';
  }
}

async function sizeOf(walk: Walk, path: string): Promise<number> {
  return (await stat(await walk.inside(path))).size;
}

function shown(walk: Walk, below: string): string {
  const path = join(walk.folder, below);
  const fromBase = isAbsolute(path) ? relative(walk.base, path) : path;
  const outsideBase = isAbsolute(walk.folder) && (fromBase.startsWith('..') || isAbsolute(fromBase));
  return (outsideBase ? path : fromBase).split(sep).join('/');
}

function tooLarge(folder: string): CapabilityError {
  return new CapabilityError(
    'FOLDER_TOO_LARGE',
    `"${folder}" holds more than ${MOST_ENTRIES} entries; name a folder within it`,
    { retry: 'never' },
  );
}
