// Reads and parses a document from its file: a template, an included file, or scenarios.
import { readFile, stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { FILE_MISSING, fileReason } from '../../base/file-reason.ts';
import { type Issue, issue } from '../../base/issue.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { decodeText } from '../../template/parse/decode-text.ts';
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
  let bytes: Uint8Array;
  try {
    const about = await stat(path);
    // Reading a pipe or a device might never end.
    if (!about.isFile()) return bad([unreadable(file, about.isDirectory() ? 'it is a folder' : 'it is not a file')]);
    if (about.size > MOST_BYTES) return bad([unreadable(file, `it has more than ${MOST_BYTES} bytes`)]);
    bytes = await readFile(path);
  } catch (thrown) {
    return bad([unreadable(file, fileReason(thrown))]);
  }
  const decoded = decodeText(bytes, file);
  if (!decoded.ok) return good({ lines: [], issues: decoded.error });
  const text = decoded.value;
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

function unreadable(file: string, reason: string): Issue {
  return issue('TEMPLATE_UNREADABLE', `cannot read "${file}": ${reason}`, {
    hint:
      reason === FILE_MISSING
        ? 'paths are relative to the working directory; begin a template with: reconverge init'
        : undefined,
  });
}
