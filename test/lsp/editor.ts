// An editor for tests: starts the command line's language server and talks to it over standard input and output.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import {
  createProtocolConnection,
  type Diagnostic,
  type InitializeParams,
  type InitializeResult,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { commandLine, surroundings } from '../cli/reconverge.ts';

export interface Editor {
  readonly folder: string;
  readonly capabilities: InitializeResult['capabilities'];
  /** The address of a file in the folder. */
  uriOf(file: string): string;
  open(file: string, text: string, languageId?: string): Promise<void>;
  /** Replaces the whole text, or types `text` at an offset in place of `removed` characters. */
  change(file: string, text: string, at?: { readonly offset: number; readonly removed?: number }): Promise<void>;
  close(file: string): Promise<void>;
  textOf(file: string): string;
  /** The diagnostics of the newest version of an open file, as soon as the server has published them. */
  diagnostics(file: string): Promise<readonly Diagnostic[]>;
  /** The last published diagnostics of a file, open or not. */
  published(file: string): readonly Diagnostic[] | undefined;
  /** Resolves when the condition holds; it is asked again after each publication. */
  until(condition: () => boolean): Promise<void>;
  /** Sends a request about a place in a file: `offset` counts in its text. */
  ask<T>(method: string, file: string, offset: number, more?: object): Promise<T>;
  request<T>(method: string, params?: object): Promise<T>;
  notify(method: string, params?: object): Promise<void>;
  /** Everything on standard error so far. */
  stderr(): string;
  /** The errors of the server itself, as it has reported them to the editor. */
  errors(): readonly string[];
  /** Ends the server as editors do, and returns its exit code. */
  quit(): Promise<number | null>;
  /** Closes the server's standard input, and returns its exit code. */
  leave(): Promise<number | null>;
}

interface EditorOptions {
  /** The files of the folder. */
  readonly files?: Readonly<Record<string, string>>;
  readonly trusted?: boolean;
  /** The delay of the analysis after a change, in milliseconds. */
  readonly delay?: number;
  readonly folder?: string;
  readonly params?: Partial<InitializeParams>;
}

/** Starts a server for a new folder, with the `initialize` request already answered. */
export async function openEditor({
  files = {},
  trusted,
  delay,
  folder = newFolder(),
  params = {},
}: EditorOptions = {}): Promise<Editor> {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const child = spawn(process.execPath, [commandLine(), 'lsp', '--stdio'], {
    cwd: folder,
    env: surroundings({}),
    stdio: 'pipe',
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const documents = new Map<string, { text: string; version: number }>();
  const published = new Map<string, PublishDiagnosticsParams>();
  const waiting = new Set<() => void>();
  connection.onNotification('textDocument/publishDiagnostics', (given: PublishDiagnosticsParams) => {
    published.set(given.uri, given);
    for (const check of [...waiting]) check();
  });
  const errors: string[] = [];
  connection.onNotification(
    'window/logMessage',
    ({ message }: { readonly message: string }) => void errors.push(message),
  );
  connection.onError(() => undefined);
  connection.listen();
  onTestFinished(async () => {
    child.kill();
    await ended;
    connection.dispose();
  });
  const uriOf = (file: string): string => pathToFileURL(join(folder, file)).href;
  const until = (condition: () => boolean): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const check = (): void => {
      if (!condition()) return;
      waiting.delete(check);
      resolve();
    };
    waiting.add(check);
    check();
    return promise;
  };
  const held = (file: string) => {
    const document = documents.get(uriOf(file));
    if (document === undefined) throw new Error(`${file} is not open`);
    return document;
  };
  const { capabilities } = await connection.sendRequest<InitializeResult>('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'test' }],
    capabilities: {},
    initializationOptions: { trusted, delay },
    ...params,
  });
  await connection.sendNotification('initialized', {});
  return {
    folder,
    capabilities,
    uriOf,
    until,
    stderr: () => stderr,
    errors: () => errors,
    textOf: (file) => held(file).text,
    async open(file, text, languageId = 'yaml') {
      documents.set(uriOf(file), { text, version: 1 });
      await connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri: uriOf(file), languageId, version: 1, text },
      });
    },
    async change(file, text, at) {
      const document = held(file);
      const before = document.text;
      document.version += 1;
      document.text =
        at === undefined ? text : before.slice(0, at.offset) + text + before.slice(at.offset + (at.removed ?? 0));
      const range = at && {
        start: positionAt(before, at.offset),
        end: positionAt(before, at.offset + (at.removed ?? 0)),
      };
      await connection.sendNotification('textDocument/didChange', {
        textDocument: { uri: uriOf(file), version: document.version },
        contentChanges: [{ ...(range && { range }), text }],
      });
    },
    async close(file) {
      documents.delete(uriOf(file));
      await connection.sendNotification('textDocument/didClose', { textDocument: { uri: uriOf(file) } });
    },
    async diagnostics(file) {
      const { version } = held(file);
      await until(() => published.get(uriOf(file))?.version === version);
      return published.get(uriOf(file))?.diagnostics ?? [];
    },
    published: (file) => published.get(uriOf(file))?.diagnostics,
    ask: (method, file, offset, more = {}) =>
      connection.sendRequest(`textDocument/${method}`, {
        textDocument: { uri: uriOf(file) },
        position: positionAt(held(file).text, offset),
        ...more,
      }),
    request: (method, given) => connection.sendRequest(method, given),
    notify: (method, given) => connection.sendNotification(method, given),
    async quit() {
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      return ended;
    },
    async leave() {
      child.stdin.end();
      return ended;
    },
  };
}

/** Positions count UTF-16 units, as the protocol does by default. */
function positionAt(text: string, offset: number): { readonly line: number; readonly character: number } {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'reconverge-editor-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
