// Answers the requests of an editor: which features the server has, and which function does each.
import type { Connection, TextDocumentPositionParams } from 'vscode-languageserver';
import { DidChangeWorkspaceFoldersNotification, TextDocumentSyncKind } from 'vscode-languageserver';
import { isJsonObject, type Json, ownProperty } from '../../base/json.ts';
import { version } from '../../runtime/journal/package-version.ts';
import type { AnalyzedDocument } from './analyzed-document.ts';
import { answerEditing, editingCapabilities } from './answer-editing.ts';
import { type CompletionOptions, completeAt } from './features/completion.ts';
import { hoverAt } from './features/hover.ts';
import { newTemplate } from './features/new-template.ts';
import { definitionAt, highlightsAt, referencesAt, renameAt, renameRangeAt } from './features/steps.ts';
import { pathOfUri } from './positions.ts';
import type { Workspace } from './workspace.ts';

export function answerRequests(connection: Connection, workspace: Workspace): void {
  let snippets = false;
  connection.onInitialize(({ workspaceFolders, rootUri, initializationOptions, capabilities }) => {
    snippets = capabilities.textDocument?.completion?.completionItem?.snippetSupport ?? false;
    const uris = workspaceFolders?.map(({ uri }) => uri) ?? (typeof rootUri === 'string' ? [rootUri] : []);
    workspace.folders = uris.map((uri) => pathOfUri(uri, process.cwd()));
    workspace.trust(trustIn(initializationOptions) ?? false);
    const { delay } = isJsonObject(initializationOptions) ? initializationOptions : {};
    if (typeof delay === 'number') workspace.delay = Math.min(Math.max(delay, 0), 10_000);
    return {
      serverInfo: { name: 'reconverge', version: version() },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
        hoverProvider: true,
        completionProvider: { triggerCharacters: TRIGGERS },
        definitionProvider: true,
        referencesProvider: true,
        documentHighlightProvider: true,
        renameProvider: { prepareProvider: true },
        ...editingCapabilities,
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    };
  });
  answerEditing(connection, workspace);
  connection.onDidChangeConfiguration(({ settings }) => {
    const trusted = trustIn(settings) ?? trustIn(ownProperty(settings, 'reconverge'));
    if (trusted !== undefined) workspace.trust(trusted);
  });
  connection.onNotification(DidChangeWorkspaceFoldersNotification.type, ({ event: { added, removed } }) => {
    const [more, gone] = [added, removed].map((each) => each.map(({ uri }) => pathOfUri(uri, process.cwd())));
    workspace.folders = [...workspace.folders.filter((each) => !gone?.includes(each)), ...(more ?? [])];
  });
  connection.onDidChangeWatchedFiles(({ changes }) => {
    workspace.filesChanged(changes.map(({ uri }) => pathOfUri(uri, process.cwd())));
  });
  connection.onNotification('reconverge/trust', (given: Json) => {
    const trusted = trustIn(given);
    if (trusted !== undefined) workspace.trust(trusted);
  });
  answerAtPositions(connection, workspace, () => ({ snippets }));
}

/** Characters after which an editor asks for completions although no word has begun. */
const TRIGGERS = ['.', ' ', ':', '/', '(', '"', '{', '[', '-'];

function answerAtPositions(connection: Connection, workspace: Workspace, options: () => CompletionOptions): void {
  connection.onHover((request) => at(workspace, request, hoverAt) ?? null);
  connection.onCompletion((request) => {
    const text = workspace.textAt(request.textDocument.uri);
    const isNew = text !== undefined && workspace.documentAt(text.uri)?.outline.root.kind !== 'map';
    const begun = isNew ? newTemplate(text, options().snippets) : undefined;
    return begun ?? at(workspace, request, (document, offset) => completeAt(document, offset, options()));
  });
  connection.onDocumentHighlight((request) => at(workspace, request, highlightsAt)?.slice());
  connection.onDefinition(async (request) => {
    const found = await at(workspace, request, (document, offset) => definitionAt(workspace, document, offset));
    return found?.slice();
  });
  connection.onReferences(async (request) => {
    const { includeDeclaration } = request.context;
    const found = await at(workspace, request, (document, offset) =>
      referencesAt(workspace, document, offset, includeDeclaration),
    );
    return found?.slice();
  });
  connection.onPrepareRename((request) => at(workspace, request, renameRangeAt));
  connection.onRenameRequest((request) =>
    at(workspace, request, (document, offset) => renameAt(workspace, document, offset, request.newName)),
  );
}

/** Undefined for documents that are not ours. */
function at<T>(
  workspace: Workspace,
  { textDocument, position }: TextDocumentPositionParams,
  answer: (document: AnalyzedDocument, offset: number) => T,
): T | undefined {
  const document = workspace.documentAt(textDocument.uri);
  return document === undefined ? undefined : answer(document, document.text.offsetAt(position));
}

/** Only the editor may say that a folder is trusted. The server never asks for settings, because a folder can bring its own. */
function trustIn(options: unknown): boolean | undefined {
  const trusted = isJsonObject(options) ? options.trusted : undefined;
  return typeof trusted === 'boolean' ? trusted : undefined;
}
