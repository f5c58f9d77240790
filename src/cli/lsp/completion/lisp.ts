// Completes Lisp: functions, forms, bound data, local names, and the keys of the data that an expression reads.
import { builtinNames, findBuiltin } from '../../../lisp/builtins.ts';
import { docOf } from '../../../lisp/reference.ts';
import { specialForms } from '../../../lisp/special-forms.ts';
import { lispTokens } from '../../../lisp/tokens.ts';
import { bindingsOf } from '../../../template/expressions.ts';
import { referenceRoots } from '../../../template/references.ts';
import type { AnalyzedDocument } from '../analyzed-document.ts';
import type { TextCursor } from '../cursor.ts';
import { bindingText, siteOf } from '../lisp-site.ts';
import { typeText } from '../markdown.ts';
import { namesAfter } from '../study.ts';
import type { Suggestion } from './item.ts';

export function lispSuggestions(document: AnalyzedDocument, cursor: TextCursor): readonly Suggestion[] {
  const { text, at, path, prefix } = cursor;
  const before = text.slice(0, at - prefix.length);
  if (isInText(before)) return keysAt(document, cursor, before.replace(/"$/, ''), '');
  if (prefix.startsWith(':')) return keysAt(document, cursor, before, ':');
  const site = siteOf(path);
  const bindings = bindingsOf[site].map(
    (name): Suggestion => ({
      label: `data/${name}`,
      kind: 'name',
      detail: bindingText(name, site),
      rank: 1,
    }),
  );
  return [...bindings, ...locals(before), ...forms, ...functions];
}

const forms: readonly Suggestion[] = specialForms.map(({ name, shape, doc }) => ({
  label: name,
  kind: 'form',
  detail: shape,
  help: docText(name) ?? doc,
  rank: 3,
}));

const functions: readonly Suggestion[] = builtinNames()
  .toSorted()
  .map((name) => ({
    label: name,
    kind: 'function',
    detail: findBuiltin(name)?.doc,
    help: docText(name),
    rank: 4,
  }));

/** The help of a function or a form as Markdown. */
export function docText(name: string): string | undefined {
  const doc = docOf(name);
  if (doc === undefined) return undefined;
  const [shape = '', text = '', example = ''] = doc.split('\n');
  return `\`\`\`clojure\n${shape}\n\`\`\`\n\n${text.trim()}\n\n\`\`\`clojure\n${example.trim()}\n\`\`\``;
}

/** True inside a quoted text of the expression. */
function isInText(before: string): boolean {
  const last = lispTokens(before).at(-1);
  return last?.kind === 'string' && last.text.startsWith('"') && (last.text.length === 1 || !last.text.endsWith('"'));
}

/** Names that `let`, `fn` and other forms bind before the cursor. */
function locals(before: string): readonly Suggestion[] {
  const tokens = lispTokens(before);
  const bound = tokens.flatMap(({ kind, text }, nth) => {
    const isBinding = tokens[nth - 1]?.text === '[' || tokens[nth - 2]?.kind === 'close' || isAfterValue(nth);
    return kind === 'symbol' && isBinding && !text.includes('/') && text !== '&' && isInVector(nth) ? [text] : [];
  });
  return [...new Set(bound)].map((label) => ({ label, kind: 'name', detail: 'local name', rank: 1 }));

  function isInVector(nth: number): boolean {
    let depth = 0;
    for (let at = nth - 1; at >= 0; at--) {
      const token = tokens[at];
      if (token?.kind === 'close') depth += 1;
      if (token?.kind !== 'open') continue;
      if (depth === 0) return token.text === '[' && tokens[at - 1]?.kind === 'symbol';
      depth -= 1;
    }
    return false;
  }

  function isAfterValue(nth: number): boolean {
    return tokens[nth - 1]?.kind === 'close' || tokens[nth - 1]?.kind === 'number';
  }
}

/** Keys of the data that the expression around the cursor looks into. */
function keysAt(document: AnalyzedDocument, cursor: TextCursor, before: string, mark: string): readonly Suggestion[] {
  const { text, path, at } = cursor;
  const after = text.slice(at).replace(/^[^\s()[\]{}"',;]*"?/, '');
  const target = pathAfter(after) ?? pathBefore(before) ?? { binding: 'results', path: [] };
  const root = referenceRoots.find((each) => each === target.binding);
  if (root === undefined) return [];
  return namesAfter(document, path, { root, path: target.path }).map(({ name, schema }) => ({
    label: `${mark}${name}`,
    kind: 'field',
    detail: typeText(schema),
  }));
}

interface DataPath {
  readonly binding: string;
  readonly path: readonly string[];
}

/** `(:first data/results)` behind the cursor. */
function pathAfter(after: string): DataPath | undefined {
  const match = /^\s+((?:\((?::[\w-]+)\s+)*)data\/(\w+)/.exec(after);
  if (match === null) return undefined;
  const keys = [...(match[1] ?? '').matchAll(/:([\w-]+)/g)].map(([, key = '']) => key);
  return { binding: match[2] ?? '', path: keys.reverse() };
}

/** `(get-in data/results [:a ` and `(-> data/results :a ` before the cursor. */
function pathBefore(before: string): DataPath | undefined {
  const match = /data\/(\w+)\s+\[?\s*((?:(?::[\w-]+|"[^"]*"|\d+)\s+)*)$/.exec(before);
  if (match === null) return undefined;
  const keys = [...(match[2] ?? '').matchAll(/:([\w-]+)|"([^"]*)"|(\d+)/g)];
  return { binding: match[1] ?? '', path: keys.map(([, word, quoted, index]) => word ?? quoted ?? index ?? '') };
}
