// Reads the included files of a template.
import { dirname, isAbsolute, join } from 'node:path';
import type { DocumentTree, ParsedDocument } from '../../template/parse/tree.ts';
import { placeIssue } from '../../template/place-in-file.ts';
import type { Confinement } from '../ports/confinement.ts';
import { type OpenedFiles, parseConfined } from './parse-file.ts';

interface IncludingTemplate {
  readonly file: string;
  readonly folder: string;
  readonly within: Confinement;
  readonly tree: DocumentTree | undefined;
  readonly opened?: OpenedFiles;
}

/** The included files by their paths as written. A refused file has issues instead of text; a missing file is left out. */
export async function readIncludes(
  includes: readonly string[],
  { file, folder, within, tree, opened }: IncludingTemplate,
): Promise<ReadonlyMap<string, ParsedDocument>> {
  const texts = new Map<string, ParsedDocument>();
  for (const [index, each] of includes.entries()) {
    // Messages show the path relative to the same folder as the template's path.
    const named = isAbsolute(each) ? each : join(dirname(file), each);
    const included = await parseConfined(named, folder, within, each, opened);
    if (included.ok) texts.set(each, included.value);
    else if (included.error.every(({ code }) => code !== 'TEMPLATE_UNREADABLE')) {
      const issues = included.error.map((found) => ({ ...found, path: ['include', index] }));
      texts.set(each, {
        lines: [],
        issues: tree === undefined ? issues : issues.map((found) => placeIssue(found, tree)),
      });
    }
  }
  return texts;
}
