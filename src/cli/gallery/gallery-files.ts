// Collects the files of a template of the gallery as they stand in the folder of its copy.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installation } from '../../capabilities/installation.ts';
import type { GalleryEntry } from './entries.ts';

const templates = fileURLToPath(new URL('templates/', installation));
const pages = fileURLToPath(new URL('docs/examples/', installation));

type FileContents = Readonly<Record<string, string | Buffer>>;

/** The template is called `template.yaml` in the copy, its page `README.md`, and its data lies in `data`. */
export function galleryFiles(entry: GalleryEntry): FileContents {
  return {
    'README.md': readmeOf(entry),
    ...(entry.data === undefined ? folderFiles(join(templates, entry.name)) : sharedFiles(entry, entry.data)),
    '.gitignore': '.reconverge/\nreports/\n',
  };
}

function folderFiles(folder: string): FileContents {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));
  return Object.fromEntries(
    paths.sort().map((path) => [path.slice(folder.length + 1).replaceAll('\\', '/'), readFileSync(path)]),
  );
}

/** A template beside others, whose data lies in the folder of all templates. */
function sharedFiles({ name }: GalleryEntry, data: readonly string[]): FileContents {
  const text = readFileSync(join(templates, `${name}.yaml`), 'utf8');
  return {
    'template.yaml': text
      .replaceAll('templates/data/', 'data/')
      .replaceAll(`templates/${name}.yaml`, 'template.yaml')
      .replace('$schema=../schemas/', '$schema=./'),
    ...Object.fromEntries(
      data.flatMap((folder) =>
        Object.entries(folderFiles(join(templates, 'data', folder))).map(([path, content]) => [
          `data/${folder}/${path}`,
          content,
        ]),
      ),
    ),
  };
}

/** The page without links to other pages, because these are not copied. */
function readmeOf({ name }: GalleryEntry): string {
  const page = readFileSync(join(pages, `${name}.md`), 'utf8');
  const [title = '', ...rest] = page.split('\n');
  const origin = `This folder was written by \`reconverge init --from ${name}\`. Everything in it is yours to change.`;
  return [title, '', origin, ...rest].join('\n').replace(/\[([^\]]+)\]\((?!https?:|#)[^)]*\)/g, '$1');
}
