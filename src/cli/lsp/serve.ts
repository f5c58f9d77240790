// Serves an editor with the language server protocol over standard input and output, until the editor leaves.
import { createConnection, StreamMessageReader, StreamMessageWriter, TextDocuments } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { defined } from '../../base/json.ts';
import { takeStandardOutput } from '../take-output.ts';
import { answerRequests } from './answer-requests.ts';
import { openWorkspace } from './workspace.ts';

/** Resolves when standard input ends; the protocol's `exit` ends the process, with code 1 unless `shutdown` came first. */
export async function serve(): Promise<void> {
  const { protocol, giveBack } = takeStandardOutput();
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  const reader = new StreamMessageReader(process.stdin);
  const connection = createConnection(reader, new StreamMessageWriter(protocol));
  process.stdin.once('end', leave).once('close', leave);
  const documents = new TextDocuments(TextDocument);
  const workspace = openWorkspace({
    publish: (uri, version, diagnostics) =>
      void connection.sendDiagnostics({ uri, diagnostics, ...defined({ version }) }),
    report: (text) => connection.console.error(text),
  });
  documents.onDidChangeContent(({ document }) => workspace.changed(document));
  documents.onDidClose(({ document }) => workspace.closed(document.uri));
  answerRequests(connection, workspace);
  documents.listen(connection);
  connection.listen();
  await left;
  workspace.close();
  giveBack();
}
