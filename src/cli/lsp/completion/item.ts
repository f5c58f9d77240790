// One entry of a completion list.
import {
  type CompletionItem,
  CompletionItemKind,
  InsertTextFormat,
  InsertTextMode,
  MarkupKind,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { defined } from '../../../base/json.ts';
import type { Span } from '../../../template/parse/outline.ts';
import { rangeOfSpan } from '../positions.ts';

export interface Suggestion {
  readonly label: string;
  readonly kind: keyof typeof kinds;
  /** Shown beside the label. */
  readonly detail?: string | undefined;
  /** Markdown. */
  readonly help?: string | undefined;
  /** Replaces the word; by default the label. With `isSnippet` it has places to fill in. */
  readonly insert?: string;
  readonly isSnippet?: boolean;
  /** Groups: those with smaller numbers come first. */
  readonly rank?: number;
  readonly isOutdated?: boolean;
}

const kinds = {
  key: CompletionItemKind.Property,
  step: CompletionItemKind.Reference,
  capability: CompletionItemKind.Function,
  word: CompletionItemKind.EnumMember,
  value: CompletionItemKind.Value,
  name: CompletionItemKind.Variable,
  function: CompletionItemKind.Function,
  form: CompletionItemKind.Keyword,
  field: CompletionItemKind.Field,
  file: CompletionItemKind.File,
  snippet: CompletionItemKind.Snippet,
} as const;

/** @param hasSnippets false: the editor inserts texts only as they are */
export function completionItem(
  suggestion: Suggestion,
  nth: number,
  text: TextDocument,
  word: Span,
  hasSnippets: boolean,
): CompletionItem {
  const { label, kind, detail, help, insert = label, isSnippet = false, rank = 5, isOutdated } = suggestion;
  const inserted = isSnippet && !hasSnippets ? withoutPlaces(insert) : insert;
  return {
    label,
    kind: kinds[kind],
    textEdit: { range: rangeOfSpan(text, word), newText: inserted },
    filterText: label,
    sortText: `${rank}${String(nth).padStart(4, '0')}`,
    insertTextFormat: isSnippet && hasSnippets ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    insertTextMode: InsertTextMode.asIs,
    ...defined({
      detail,
      documentation: help === undefined ? undefined : { kind: MarkupKind.Markdown, value: help },
    }),
    ...(isOutdated === true && { deprecated: true }),
  };
}

/** Marks `$`, `}` and `\` of a text as text inside a snippet. */
export function escapedSnippet(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}

function withoutPlaces(snippet: string): string {
  return snippet
    .replace(/\$\{\d+\|([^,|]*)[^|]*\|\}/g, '$1')
    .replace(/\$\{\d+:((?:[^}\\]|\\.)*)\}/g, '$1')
    .replace(/\$\{\d+\}|\$\d+/g, '')
    .replace(/\\([\\$}])/g, '$1');
}
