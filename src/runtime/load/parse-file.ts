// Reads and parses a document from its file: a template, an included file, or scenarios.
import { readFile, stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { type Issue, issue } from '../../base/issue.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { parseJson } from '../../template/parse/parse-json.ts';
import type { ParsedDocument } from '../../template/parse/tree.ts';
import { type Confinement, noDocument, outsideOf, projectOf } from '../ports/confinement.ts';
import { fileNotChecked } from './untrusted.ts';

/** The parsers refuse longer texts anyway. */
const MOST_BYTES = 16_000_000;

/** Returns the parsed text of a file that an editor holds; undefined for files to read from the disk. `file`: the name for messages. */
export type OpenedFiles = (path: string, file: string) => ParsedDocument | undefined;

/** `file` is relative to `folder`. Issues: TEMPLATE_UNREADABLE; issues of the text are part of the value. */
export async function parseFile(file: string, folder: string, opened?: OpenedFiles): Promise<Result<ParsedDocument>> {
  const path = resolve(folder, file);
  const held = opened?.(path, file);
  if (held !== undefined) return good(held);
  let text: string;
  try {
    const about = await stat(path);
    // Reading a pipe or a device might never end.
    if (!about.isFile()) return bad([unreadable(file, about.isDirectory() ? 'it is a folder' : 'it is not a file')]);
    if (about.size > MOST_BYTES) return bad([unreadable(file, `it has more than ${MOST_BYTES} bytes`)]);
    text = await readFile(path, 'utf8');
  } catch (thrown) {
    return bad([unreadable(file, reasonOf(thrown))]);
  }
  if (extname(file) === '.json') return good(parseJson(text, file));
  // JSON files need no YAML parser.
  const { parseYaml } = await import('../../template/parse/parse-yaml.ts');
  return good(parseYaml(text, file));
}

/**
 * Reads a file that a document names as `shown`. Issues: also INCLUDE_OUTSIDE_PROJECT, INCLUDE_EXTENSION_UNKNOWN, and
 * NOT_CHECKED for a file outside the folder of an untrusted template.
 */
export async function parseConfined(
  file: string,
  folder: string,
  within: Confinement,
  shown = file,
  opened?: OpenedFiles,
): Promise<Result<ParsedDocument>> {
  const path = resolve(folder, file);
  const project = within.untrusted ? await projectOf(within.root) : within;
  const refused = (await outsideOf(project, path, shown)) ?? (await noDocument(path, shown));
  if (refused !== undefined) return bad([refused]);
  if (within.untrusted && (await outsideOf(within, path, shown)) !== undefined) return bad([fileNotChecked(shown)]);
  return parseFile(file, folder, opened);
}

const MISSING = 'there is no such file';
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: MISSING,
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  ELOOP: 'its symbolic links go in a circle',
};

function reasonOf(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  return REASONS[code] ?? (thrown instanceof Error ? thrown.message : String(thrown));
}

function unreadable(file: string, reason: string): Issue {
  return issue('TEMPLATE_UNREADABLE', `cannot read "${file}": ${reason}`, {
    hint:
      reason === MISSING
        ? 'paths are relative to the working directory; begin a template with: reconverge init'
        : undefined,
  });
}
