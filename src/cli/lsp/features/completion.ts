// Completion: what may be typed at the cursor, with its documentation.
import type { CompletionList } from 'vscode-languageserver';
import { nodeAtPath } from '../../../template/parse/outline.ts';
import { schemaAt } from '../../../template/step-occurrences.ts';
import type { AnalyzedDocument } from '../analyzed-document.ts';
import { completionItem, type Suggestion } from '../completion/item.ts';
import { keySuggestions, stepSnippets } from '../completion/keys.ts';
import { lispSuggestions } from '../completion/lisp.ts';
import { referenceSuggestions } from '../completion/references.ts';
import { valueSuggestions } from '../completion/values.ts';
import { type CursorContext, cursorAt, type KeyCursor } from '../cursor.ts';

export interface CompletionOptions {
  /** The editor can fill in the places of snippets. */
  readonly snippets: boolean;
}

export async function completeAt(
  document: AnalyzedDocument,
  offset: number,
  { snippets }: CompletionOptions,
): Promise<CompletionList> {
  const cursor = cursorAt(document.text.getText(), offset, document.kind);
  const found = cursor === undefined ? [] : await suggestionsAt(document, cursor);
  const items = cursor === undefined ? [] : ranked(found, cursor.prefix);
  return {
    // Files of a folder are listed anew for each typed folder.
    isIncomplete: found.some(({ kind }) => kind === 'file'),
    items: items.map((each, nth) =>
      completionItem(each, nth, document.text, cursor?.word ?? { from: offset, to: offset }, snippets),
    ),
  };
}

async function suggestionsAt(document: AnalyzedDocument, cursor: CursorContext): Promise<readonly Suggestion[]> {
  switch (cursor.role) {
    case 'lisp':
      return lispSuggestions(document, cursor);
    case 'reference':
      return referenceSuggestions(document, cursor);
    case 'key':
      return keysAndItems(document, cursor);
    case 'value':
      return valueSuggestions(document, cursor);
  }
}

function keysAndItems(document: AnalyzedDocument, cursor: KeyCursor): Suggestion[] {
  const { path, column, siblings, isFlow } = cursor;
  const keys = keySuggestions(document, cursor);
  const isStep = schemaAt(path, document.kind)?.description === 'One step.' || path.at(-2) === 'steps';
  const isNew = isStep && typeof path.at(-1) === 'number' && siblings.length === 0 && !isFlow;
  const list = isNew || isFlow ? undefined : itemList(cursor);
  const items =
    list === undefined
      ? []
      : stepSnippets(document.kind, column + 2).map((each) => ({
          ...each,
          label: `- ${each.label}`,
          insert: `- ${each.insert ?? ''}`,
        }));
  if (items.length > 0) return items;
  return [...keys, ...(isNew ? stepSnippets(document.kind, column) : [])];
}

/** The list of steps that a new item would continue: the cursor stands in the column of its dashes. */
function itemList({ outline, path, column, word }: KeyCursor) {
  if (path.length > 0 || column === 0) return undefined;
  const steps = nodeAtPath(outline, ['steps']);
  return steps !== undefined && steps.from < word.from ? steps : undefined;
}

/** Those that begin with the typed word come first; those that do not contain its letters are left out. */
function ranked(found: readonly Suggestion[], prefix: string): readonly Suggestion[] {
  if (prefix === '') return found;
  const typed = prefix.toLowerCase();
  const letters = (label: string): boolean => {
    let at = 0;
    for (const letter of label) if (letter === typed[at]) at += 1;
    return at === typed.length;
  };
  const kept = found.filter(({ label }) => letters(label.toLowerCase()));
  const begins = (each: Suggestion): boolean => each.label.toLowerCase().startsWith(typed);
  return [...kept.filter(begins), ...kept.filter((each) => !begins(each))];
}
