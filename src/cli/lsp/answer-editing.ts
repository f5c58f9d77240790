// Answers the requests that show and change a document as a whole: fixes, outline, folding, lenses and colors.
import { CodeActionKind, type Connection, type ServerCapabilities } from 'vscode-languageserver';
import type { Issue } from '../../base/issue.ts';
import { codeActions, FIX_ALL } from './features/code-actions.ts';
import { codeLenses } from './features/code-lens.ts';
import { documentSymbols } from './features/document-symbols.ts';
import { foldingRanges } from './features/folding.ts';
import { semanticTokens, semanticTokensLegend } from './features/semantic-tokens.ts';
import type { Workspace } from './workspace.ts';

export const editingCapabilities: ServerCapabilities = {
  codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, FIX_ALL] },
  codeLensProvider: { resolveProvider: false },
  documentSymbolProvider: true,
  foldingRangeProvider: true,
  semanticTokensProvider: { legend: semanticTokensLegend, full: true },
};

export function answerEditing(connection: Connection, workspace: Workspace): void {
  connection.onCodeAction(async ({ textDocument: { uri }, range, context }) => {
    const document = await workspace.analyzedAt(uri);
    if (document === undefined) return [];
    const addressOf = (issue: Issue): string => workspace.addressOf(uri, issue);
    return [...codeActions(document, { range, only: context.only, addressOf })];
  });
  connection.onCodeLens(async ({ textDocument: { uri } }) => {
    const document = await workspace.analyzedAt(uri);
    return document === undefined ? [] : [...codeLenses(document)];
  });
  connection.onDocumentSymbol(({ textDocument: { uri } }) => {
    const document = workspace.documentAt(uri);
    return document === undefined ? [] : [...documentSymbols(document)];
  });
  connection.onFoldingRanges(({ textDocument: { uri } }) => {
    const document = workspace.documentAt(uri);
    return document === undefined ? null : [...foldingRanges(document)];
  });
  connection.languages.semanticTokens.on(({ textDocument: { uri } }) => {
    const document = workspace.documentAt(uri);
    return document === undefined ? { data: [] } : semanticTokens(document);
  });
}
