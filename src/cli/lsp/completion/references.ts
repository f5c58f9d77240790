// Completes paths inside `{{ }}` by the contracts of the values that they lead to.

import { type Reference, type ReferenceRoot, referenceRoots } from '../../../template/references.ts';
import type { AnalyzedDocument } from '../analyzed-document.ts';
import type { TextCursor } from '../cursor.ts';
import { typeText } from '../markdown.ts';
import { namesAfter } from '../study.ts';
import type { Suggestion } from './item.ts';

export const rootHelp: Readonly<Record<ReferenceRoot, string>> = {
  input: 'The input of the run.',
  results: 'The results of steps, by name. A reference to a result is a dependency.',
  depends: 'The results of the steps that this step depends on, by name.',
  item: 'The item of a fan_out.',
  convergence: 'How the branches ended that converge at this step.',
  run: 'Facts about the run: its id, folder, times and budget.',
  summary: 'A short text about the results of all earlier steps.',
};

export function referenceSuggestions(document: AnalyzedDocument, cursor: TextCursor): readonly Suggestion[] {
  const { text, at, path, prefix } = cursor;
  const inner = text.slice(text.lastIndexOf('{{', at - 1) + 2, at - prefix.length).trimStart();
  const isOpen = !/^[^\r\n{]*\}\}/.test(text.slice(at));
  if (inner === '') {
    const roots = referenceRoots.filter((root) => isUseful(document, cursor, root));
    return roots.map((root) => ({
      label: root,
      kind: 'name',
      detail: rootHelp[root],
      help: rootHelp[root],
      ...(isOpen && root === 'item' ? { insert: 'item }}' } : {}),
    }));
  }
  const reference = referenceBefore(inner);
  if (reference === undefined) return [];
  return namesAfter(document, path, reference).map(({ name, schema, optional }) => ({
    label: name,
    kind: reference.path.length === 0 && reference.root !== 'input' ? 'step' : 'field',
    detail: `${typeText(schema)}${optional ? ', or null' : ''}`,
  }));
}

function isUseful(document: AnalyzedDocument, { path }: TextCursor, root: ReferenceRoot): boolean {
  if (root === 'item') return path.includes('do');
  if (root === 'convergence') return namesAfter(document, path, { root, path: [] }).length > 0;
  return path[0] !== 'output' || root === 'input' || root === 'results' || root === 'run';
}

/** The reference before a dot: `results.ingest` of `results.ingest.`. */
function referenceBefore(text: string): Reference | undefined {
  const parts = /^([a-z]+)((?:\.[A-Za-z0-9_$-]+|\[\d+\]|\[["'][^"']+["']\])*)\.$/.exec(text);
  const root = referenceRoots.find((each) => each === parts?.[1]);
  if (root === undefined) return undefined;
  const path = [...(parts?.[2] ?? '').matchAll(/\.([A-Za-z0-9_$-]+)|\[(\d+)\]|\[["']([^"']+)["']\]/g)];
  return { root, path: path.map((match) => match[1] ?? match[2] ?? match[3] ?? '') };
}
