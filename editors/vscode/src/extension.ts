// Starts one language server for each folder that holds templates, and hands on whether the workspace is trusted.
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { LanguageClient, type LanguageClientOptions } from 'vscode-languageclient/node';
import { findServer, type ServerProgram } from './find-server.ts';
import { isTemplate } from './is-template.ts';

/** Files outside of every folder of the workspace share a server. */
const OUTSIDE = '';

const clients = new Map<string, LanguageClient>();
/** Folders without a server: the notice about it is shown once. */
const missing = new Set<string>();
let output: vscode.LogOutputChannel | undefined;

export function activate(context: vscode.ExtensionContext): void {
  output = vscode.window.createOutputChannel('Reconverge', { log: true });
  context.subscriptions.push(
    output,
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeWorkspaceFolders(({ removed }) => {
      for (const folder of removed) void stop(folder.uri.toString());
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('reconverge.path') || change.affectsConfiguration('reconverge.node')) restart();
    }),
    vscode.commands.registerCommand('reconverge.restart', restart),
    vscode.commands.registerCommand('reconverge.showOutput', () => output?.show()),
  );
  vscode.workspace.textDocuments.forEach(look);
}

export async function deactivate(): Promise<void> {
  await Promise.all([...clients.keys()].map(stop));
}

/** Starts a server when the first template of its folder is opened or begun. */
function look(document: vscode.TextDocument): void {
  if (document.languageId !== 'yaml' || document.uri.scheme !== 'file') return;
  const folder = vscode.workspace.getWorkspaceFolder(document.uri);
  const key = folder?.uri.toString() ?? OUTSIDE;
  if (clients.has(key) || missing.has(key) || !isTemplate(document.getText(), document.fileName)) return;
  const server = serverFor(document.uri, folder);
  if (server === undefined) {
    missing.add(key);
    const path = vscode.workspace.getConfiguration('reconverge', document.uri).get('path', '');
    void sayMissing(path);
    return;
  }
  const client = clientFor(server, folder);
  clients.set(key, client);
  output?.info(`${server.command} ${[...server.arguments, 'lsp'].join(' ')} (from ${server.from})`);
  client.start().catch((error: unknown) => {
    output?.error(`the language server did not start: ${String(error)}`);
  });
}

function serverFor(uri: vscode.Uri, folder: vscode.WorkspaceFolder | undefined): ServerProgram | undefined {
  const settings = vscode.workspace.getConfiguration('reconverge', uri);
  return findServer({
    path: settings.get('path', ''),
    node: settings.get('node', ''),
    folder: folder?.uri.fsPath,
    beside: dirname(uri.fsPath),
    folders: (vscode.workspace.workspaceFolders ?? []).map((each) => each.uri.fsPath),
    trusted: vscode.workspace.isTrusted,
    searchPath: process.env.PATH ?? process.env.Path ?? '',
    windows: process.platform === 'win32',
  });
}

function clientFor(server: ServerProgram, folder: vscode.WorkspaceFolder | undefined): LanguageClient {
  const pattern = folder === undefined ? undefined : `${folder.uri.fsPath.replaceAll('\\', '/')}/**/*`;
  const options: LanguageClientOptions = {
    documentSelector: [
      pattern === undefined ? { scheme: 'file', language: 'yaml' } : { scheme: 'file', language: 'yaml', pattern },
    ],
    ...(folder === undefined ? {} : { workspaceFolder: folder }),
    ...(output === undefined ? {} : { outputChannel: output }),
    initializationOptions: { trusted: vscode.workspace.isTrusted },
  };
  return new LanguageClient(
    'reconverge',
    'Reconverge',
    {
      command: server.command,
      args: [...server.arguments, 'lsp'],
      options: {
        shell: server.shell,
        // A relative path of a program must not lead into a workspace that is not trusted.
        cwd: vscode.workspace.isTrusted ? (folder?.uri.fsPath ?? homedir()) : homedir(),
      },
    },
    options,
  );
}

/** Begins anew with what is true now: the trust, the settings and the installed version. */
function restart(): void {
  missing.clear();
  void Promise.all([...clients.keys()].map(stop)).then(() => vscode.workspace.textDocuments.forEach(look));
}

async function stop(key: string): Promise<void> {
  const client = clients.get(key);
  clients.delete(key);
  await client?.dispose().catch(() => undefined);
}

async function sayMissing(path: string): Promise<void> {
  const [choose, again] = ['Choose the Program', 'Try Again'];
  const text =
    path !== ''
      ? `The setting "reconverge.path" names no program that may run here: ${path}`
      : vscode.workspace.isTrusted
        ? 'Reconverge is not installed for this template. Run "npm install reconverge" in its project (Node 24 or newer), then try again.'
        : 'Templates are checked here once you trust this workspace, or once "reconverge" is on your PATH.';
  const answer = await vscode.window.showInformationMessage(text, choose, again);
  if (answer === choose) await vscode.commands.executeCommand('workbench.action.openSettings', 'reconverge.path');
  if (answer === again) restart();
}
