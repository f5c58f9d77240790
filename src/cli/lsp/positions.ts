// Converts between places of issues, offsets in a text, and the ranges and addresses of the protocol.
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Range } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Place } from '../../base/place.ts';
import type { Span } from '../../template/parse/outline.ts';

/** Both count UTF-16 units; places count from 1. */
export function rangeOfPlace({ line, column, endLine, endColumn }: Place): Range {
  return {
    start: { line: line - 1, character: column - 1 },
    end: { line: endLine - 1, character: endColumn - 1 },
  };
}

export function rangeOfSpan(text: TextDocument, { from, to }: Span): Range {
  return { start: text.positionAt(from), end: text.positionAt(to) };
}

/** The absolute path of an address; a document without a file gets a path in the given folder. */
export function pathOfUri(uri: string, folder: string): string {
  try {
    if (uri.startsWith('file:')) return fileURLToPath(uri);
  } catch {
    // An address of another machine has no path here.
  }
  const name = basename(decodeURIComponent(/^[^?#]*/.exec(uri)?.[0] ?? '').replace(/^\w+:/, ''));
  return join(folder, name === '' ? 'untitled.yaml' : name);
}

export function uriOfPath(path: string): string {
  return pathToFileURL(path).href;
}
