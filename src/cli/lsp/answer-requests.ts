// Answers the requests of an editor: which features the server has, and which function does each.
import type { Connection } from 'vscode-languageserver';
import { TextDocumentSyncKind } from 'vscode-languageserver';
import { isJsonObject, type Json, ownProperty } from '../../base/json.ts';
import { version } from '../../runtime/journal/package-version.ts';
import { pathOfUri } from './positions.ts';
import type { Workspace } from './workspace.ts';

export function answerRequests(connection: Connection, workspace: Workspace): void {
  connection.onInitialize(({ workspaceFolders, rootUri, initializationOptions }) => {
    const uris = workspaceFolders?.map(({ uri }) => uri) ?? (typeof rootUri === 'string' ? [rootUri] : []);
    workspace.folders = uris.map((uri) => pathOfUri(uri, process.cwd()));
    workspace.trust(trustIn(initializationOptions) ?? false);
    return {
      serverInfo: { name: 'reconverge', version: version() },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    };
  });
  connection.onDidChangeConfiguration(({ settings }) => {
    const trusted = trustIn(settings) ?? trustIn(ownProperty(settings, 'reconverge'));
    if (trusted !== undefined) workspace.trust(trusted);
  });
  connection.onNotification('reconverge/trust', (given: Json) => {
    const trusted = trustIn(given);
    if (trusted !== undefined) workspace.trust(trusted);
  });
  connection.onNotification('workspace/didChangeWorkspaceFolders', () => undefined);
}

/** Only the editor may say that a folder is trusted. The server never asks for settings, because a folder can bring its own. */
function trustIn(options: unknown): boolean | undefined {
  const trusted = isJsonObject(options) ? options.trusted : undefined;
  return typeof trusted === 'boolean' ? trusted : undefined;
}
