// The folder that the files of a template must be in: its project, or its own folder when its author is not trusted.
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { type Issue, issue } from '../../base/issue.ts';
import { isInside } from '../../capabilities/is-inside.ts';

export interface Confinement {
  /** An absolute path without symbolic links. */
  readonly root: string;
  /** True: only the template's own folder counts, whatever project it is in. */
  readonly untrusted: boolean;
}

/** A folder with one of these is the root of a project. */
const MARKS = ['.git', 'package.json'];

/** The nearest folder upwards with `.git` or `package.json`, else the folder itself. */
export async function projectOf(folder: string): Promise<Confinement> {
  const own = await truePath(resolve(folder));
  return { root: nearestProject(own) ?? own, untrusted: false };
}

/** Confines an untrusted template to its folder. */
export async function folderAlone(folder: string): Promise<Confinement> {
  return { root: await truePath(resolve(folder)), untrusted: true };
}

function nearestProject(folder: string): string | undefined {
  if (MARKS.some((mark) => existsSync(join(folder, mark)))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : nearestProject(parent);
}

/** Returns INCLUDE_OUTSIDE_PROJECT for a path outside. `shown` is the path as the document writes it. */
export async function outsideOf(
  { root, untrusted }: Confinement,
  path: string,
  shown: string,
): Promise<Issue | undefined> {
  if (isInside(root, await truePath(path))) return undefined;
  const where = untrusted ? "the template's folder" : `the project of the template (${fromHere(root)})`;
  return issue('INCLUDE_OUTSIDE_PROJECT', `"${shown}" leads outside ${where}`, {
    hint: untrusted
      ? 'put the file into the folder of the template: an untrusted template reads no other files'
      : 'put the file into the project: the nearest folder upwards with .git or package.json, else the folder of the template',
  });
}

/** Only files with these endings are parsed and quoted in messages. The target of a symbolic link needs such an ending too. */
const DOCUMENTS: readonly string[] = ['.yaml', '.yml', '.json'];

/** Returns INCLUDE_EXTENSION_UNKNOWN for a file that is neither YAML nor JSON. */
export async function noDocument(path: string, shown: string): Promise<Issue | undefined> {
  const isDocument = [path, await truePath(path)].every((each) => DOCUMENTS.includes(extname(each).toLowerCase()));
  if (isDocument) return undefined;
  return issue('INCLUDE_EXTENSION_UNKNOWN', `"${shown}" is neither YAML nor JSON`, {
    hint: `name a file that ends in ${DOCUMENTS.join(', ')}`,
  });
}

/** The path without symbolic links; the part that does not exist is appended to its nearest existing ancestor. */
export async function truePath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await truePath(parent), basename(path));
  }
}

function fromHere(path: string): string {
  const way = relative('.', path);
  return way === '' ? 'the working directory' : way.startsWith('..') ? path : way;
}
