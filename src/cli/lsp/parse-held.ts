// Parses the text of an editor once for each version. A half-written text gets the tree of its outline, so that the rest of it is still checked.
import { extname } from 'node:path';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { treeOfOutline } from '../../template/parse/outline.ts';
import { parseJson } from '../../template/parse/parse-json.ts';
import { parseYaml } from '../../template/parse/parse-yaml.ts';
import { readOutline } from '../../template/parse/read-outline.ts';
import type { ParsedDocument } from '../../template/parse/tree.ts';

interface Parse {
  readonly version: number;
  readonly file: string;
  readonly parsed: ParsedDocument;
}

const remembered = new WeakMap<TextDocument, Parse>();

/** @param file the name of the file in issues */
export function parseHeld(document: TextDocument, file: string): ParsedDocument {
  const known = remembered.get(document);
  if (known?.version === document.version && known.file === file) return known.parsed;
  const parsed = parse(document.getText(), file);
  remembered.set(document, { version: document.version, file, parsed });
  return parsed;
}

function parse(text: string, file: string): ParsedDocument {
  const parsed = extname(file) === '.json' ? parseJson(text, file) : parseYaml(text, file);
  if (parsed.tree !== undefined || text.trim() === '') return parsed;
  return { ...parsed, tree: treeOfOutline(readOutline(text), file) };
}
