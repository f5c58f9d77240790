// The files whose steps share their names: a template and the files that it includes.
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { folderAlone, noDocument, outsideOf, projectOf } from '../../runtime/ports/confinement.ts';
import { nodeAtPath, type Outline } from '../../template/parse/outline.ts';
import { readOutline } from '../../template/parse/read-outline.ts';
import type { DocumentKind } from '../../template/schema/meaning.ts';
import { isScenarioFile } from '../../testing/scenarios/read-scenarios.ts';
import type { AnalyzedDocument } from './analyzed-document.ts';
import { uriOfPath } from './positions.ts';

/** The parts of a workspace that reading its files needs. */
interface HeldFiles {
  readonly folders: readonly string[];
  readonly trusted: boolean;
  documents(): readonly AnalyzedDocument[];
}

/** One file, with its unsaved text if the editor holds it. */
export type FamilyFile = Pick<AnalyzedDocument, 'uri' | 'path' | 'kind' | 'text' | 'outline'>;

/** The most files of a folder in which templates that include a file are looked for. */
const MOST_FILES = 500;
const MOST_BYTES = 1_000_000;

/** The document itself comes first. Files outside its folder are left out unless the editor trusts it. */
export async function familyOf(workspace: HeldFiles, document: AnalyzedDocument): Promise<readonly FamilyFile[]> {
  const templates = document.kind === 'template' ? [document] : await includersOf(workspace, document.path);
  const found = new Map<string, FamilyFile>([[document.path, document]]);
  for (const template of templates) {
    found.set(template.path, template);
    for (const path of await includedBy(workspace, template)) {
      if (found.has(path)) continue;
      const file = await fileAt(workspace, path, 'include');
      if (file !== undefined) found.set(path, file);
    }
  }
  return [...found.values()];
}

/** The paths under `include`, as far as they may be read. */
async function includedBy({ trusted }: HeldFiles, { path, outline }: FamilyFile): Promise<readonly string[]> {
  const folder = dirname(path);
  const within = trusted ? await projectOf(folder) : await folderAlone(folder);
  const readable = writtenIncludes(outline).map(async (written) => {
    const target = resolve(folder, written);
    const refused = (await outsideOf(within, target, written)) ?? (await noDocument(target, written));
    return refused === undefined ? [target] : [];
  });
  return (await Promise.all(readable)).flat();
}

function writtenIncludes(outline: Outline): readonly string[] {
  const node = nodeAtPath(outline, ['include']);
  const nodes = node?.kind === 'list' ? node.items : node === undefined ? [] : [node];
  return nodes.flatMap((each) => (each.kind === 'scalar' && each.text !== '' ? [each.text] : []));
}

async function fileAt(workspace: HeldFiles, path: string, kind: DocumentKind): Promise<FamilyFile | undefined> {
  const held = workspace.documents().find((each) => each.path === path);
  if (held !== undefined) return held;
  try {
    const about = await stat(path);
    if (!about.isFile() || about.size > MOST_BYTES) return undefined;
    const content = await readFile(path, 'utf8');
    const uri = uriOfPath(path);
    return { uri, path, kind, text: TextDocument.create(uri, 'yaml', 0, content), outline: readOutline(content) };
  } catch {
    // A file that cannot be read has no names.
    return undefined;
  }
}

/** The path of the first template that includes a file. */
export async function includerOf(workspace: HeldFiles, path: string): Promise<string | undefined> {
  const [first] = await includersOf(workspace, path);
  return first?.path;
}

/** The templates of the editor's folders that include a file. */
async function includersOf(workspace: HeldFiles, path: string): Promise<readonly FamilyFile[]> {
  const folders = workspace.folders.length > 0 ? workspace.folders : [dirname(path)];
  const paths = new Set(workspace.documents().map((each) => each.path));
  for (const folder of folders) for (const each of await documentsIn(folder)) paths.add(each);
  const files = await Promise.all([...paths].map((each) => fileAt(workspace, each, 'template')));
  return files.flatMap((file) => {
    if (file === undefined || file.path === path) return [];
    const targets = writtenIncludes(file.outline).map((each) => resolve(dirname(file.path), each));
    return targets.includes(path) ? [file] : [];
  });
}

/** YAML and JSON files below a folder, without hidden folders, packages, scenarios and links. */
async function documentsIn(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  const folders = [folder];
  for (let at = folders.shift(); at !== undefined && found.length < MOST_FILES; at = folders.shift()) {
    const here = at;
    const entries = await readdir(here, { withFileTypes: true }).catch(() => []);
    for (const each of entries) {
      if (each.name.startsWith('.') || each.name === 'node_modules') continue;
      if (each.isDirectory()) folders.push(join(here, each.name));
      else if (each.isFile() && /\.ya?ml$/.test(each.name) && !isScenarioFile(each.name))
        found.push(join(here, each.name));
    }
  }
  return found.slice(0, MOST_FILES);
}
