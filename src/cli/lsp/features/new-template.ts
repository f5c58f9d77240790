// Completion in an empty YAML file: a whole template to fill in.
import type { CompletionList } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { completionItem } from '../completion/item.ts';

const TEMPLATE = `reconverge: 1
name: \${1:my-template}
capabilities: [catalog]
steps:
  - name: \${2:first}
    handler: $3
`;

/** Undefined unless the file holds at most one word. */
export function newTemplate(text: TextDocument, snippets: boolean): CompletionList | undefined {
  const content = text.getText();
  const [, blank = '', word = ''] = /^(\s*)([a-z]{0,10})\s*$/.exec(content) ?? [];
  if (!/^(?:yaml|reconverge)$/.test(text.languageId) || content.trim() !== word) return undefined;
  const suggestion = {
    label: 'reconverge: 1',
    kind: 'snippet',
    detail: 'A new template of Reconverge',
    insert: TEMPLATE,
    isSnippet: true,
  } as const;
  const span = { from: blank.length, to: blank.length + word.length };
  return { isIncomplete: false, items: [completionItem(suggestion, 0, text, span, snippets)] };
}
