// Where the files may lie that a template names: in its project, or in its own folder where its author is not trusted.
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { type Issue, issue } from '../../base/issue.ts';
import { isInside } from '../../capabilities/is-inside.ts';

export interface Confinement {
  /** Absolute, every link followed. */
  readonly root: string;
  /** Nothing but the template's own folder, whatever project it stands in. */
  readonly untrusted: boolean;
}

/** A folder with one of these is the root of a project. */
const MARKS = ['.git', 'package.json'];

/** The nearest folder upwards with `.git` or `package.json`, else the folder itself. */
export async function projectOf(folder: string): Promise<Confinement> {
  const own = await truePath(resolve(folder));
  return { root: nearestProject(own) ?? own, untrusted: false };
}

/** The folder alone. */
export async function folderAlone(folder: string): Promise<Confinement> {
  return { root: await truePath(resolve(folder)), untrusted: true };
}

function nearestProject(folder: string): string | undefined {
  if (MARKS.some((mark) => existsSync(join(folder, mark)))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : nearestProject(parent);
}

/** Issues: INCLUDE_OUTSIDE_PROJECT. `shown` is the path as it is written. */
export async function outsideOf(
  { root, untrusted }: Confinement,
  path: string,
  shown: string,
): Promise<Issue | undefined> {
  if (isInside(root, await truePath(path))) return undefined;
  const where = untrusted ? "the template's folder" : `the project of the template (${fromHere(root)})`;
  return issue('INCLUDE_OUTSIDE_PROJECT', `"${shown}" leads outside ${where}`, {
    hint: untrusted
      ? 'put the file beside the template: a template that is not trusted reads nothing else'
      : 'put the file into the project: the nearest folder upwards with .git or package.json, else the folder of the template',
  });
}

/** Files that are read as documents end so, whatever links lead to them: nothing else is parsed, and nothing else quoted. */
const DOCUMENTS: readonly string[] = ['.yaml', '.yml', '.json'];

/** Issues: INCLUDE_EXTENSION_UNKNOWN. */
export async function noDocument(path: string, shown: string): Promise<Issue | undefined> {
  const isDocument = [path, await truePath(path)].every((each) => DOCUMENTS.includes(extname(each).toLowerCase()));
  if (isDocument) return undefined;
  return issue('INCLUDE_EXTENSION_UNKNOWN', `"${shown}" is neither YAML nor JSON`, {
    hint: `name a file that ends in ${DOCUMENTS.join(', ')}`,
  });
}

/** Every link followed; what is not there hangs on its nearest ancestor that is. */
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
