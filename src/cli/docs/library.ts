// Finds the pages of the documentation that this installation contains.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { installation } from '../../capabilities/installation.ts';
import { titleOf } from './markdown.ts';

/** The folder of the pages. */
export const docsFolder = fileURLToPath(new URL('docs/', installation));

interface Group {
  readonly title: string;
  readonly pages?: readonly string[];
  /** A folder whose pages belong to the group. */
  readonly folder?: string;
}

export interface ListedPage {
  /** The name under which `reconverge docs` prints it: `gates`, `reference/cli`. */
  readonly page: string;
  readonly title: string;
  readonly group: string;
  readonly file: string;
}

/** The pages in the order in which a newcomer needs them. */
export function listPages(): readonly ListedPage[] {
  const groups = JSON.parse(readFileSync(fileOf('navigation.json'), 'utf8')) as readonly Group[];
  return groups.flatMap(({ title: group, pages = [], folder }) => {
    const all = [...pages, ...(folder === undefined ? [] : pagesIn(folder))];
    return all.filter(isPage).map((path) => {
      const file = fileOf(`${path}.md`);
      return { page: path.replace(/\/README$/, ''), title: titleOf(readFileSync(file, 'utf8')), group, file };
    });
  });
}

/**
 * The path of a page that is called by its name, its folder, its former name, or its name within the reference or the
 * examples: `gates`, `reference/cli`, `models`, `cli/run`, `run`. A former name may lead to a part of a page: `agents#profiles`.
 */
export function findPage(name: string): string | undefined {
  const bare = name
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
    .replace(/\/$/, '');
  const moved = redirects()[bare];
  const candidates = [bare, `reference/${bare}`, `examples/${bare}`, `reference/cli/${bare}`];
  const found = candidates
    .flatMap((path) => [path, `${path}/README`])
    .find((path) => path !== 'errors' && isPage(path));
  return found ?? (moved === undefined || !isPage(moved.split('#')[0] ?? '') ? undefined : moved);
}

/** The names by which pages can be called, for suggestions. */
export function pageNames(): readonly string[] {
  return [
    ...new Set([...listPages().map(({ page }) => page), ...Object.keys(redirects()), ...pagesIn('reference/cli')]),
  ];
}

export function readPage(path: string): string {
  return readFileSync(fileOf(`${path}.md`), 'utf8');
}

export function fileOf(path: string): string {
  return fileURLToPath(new URL(path, new URL('docs/', installation)));
}

function redirects(): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(fileOf('redirects.json'), 'utf8')) as Readonly<Record<string, string>>;
}

function pagesIn(folder: string): readonly string[] {
  if (!existsSync(fileOf(folder))) return [];
  const files = readdirSync(fileOf(folder)).filter((file) => file.endsWith('.md') && file !== 'README.md');
  return files.sort().map((file) => `${folder}/${file.slice(0, -'.md'.length)}`);
}

function isPage(path: string): boolean {
  return /^[\w/-]+$/.test(path) && existsSync(fileOf(`${path}.md`));
}
