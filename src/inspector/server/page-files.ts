// Reads the files of the page once; requests are looked up among them, so no request can reach another path.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

interface PageFile {
  readonly type: string;
  readonly body: Buffer;
}

/** The files by their path below the page's address; '' is the page itself. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** `program`: the words that call the command line, which the page prints with its commands. */
export function readPageFiles(folder: string, program = 'reconverge'): PageFiles {
  const files = new Map<string, PageFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = types[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const file = join(entry.parentPath, entry.name);
    const path = relative(folder, file).split(sep).join('/');
    const body = readFileSync(file);
    if (path === 'index.html') files.set('', { type, body: withProgram(body, program) });
    else files.set(path, { type, body });
  }
  return files;
}

function withProgram(page: Buffer, program: string): Buffer {
  const quoted = program.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return Buffer.from(page.toString('utf8').replace('<html ', `<html data-program="${quoted}" `));
}
