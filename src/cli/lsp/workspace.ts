// The documents that an editor holds: analyzes each a moment after its last change, and publishes what was found.
import { basename, dirname, resolve } from 'node:path';
import type { Diagnostic } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Issue } from '../../base/issue.ts';
import { defined } from '../../base/json.ts';
import type { Duration } from '../../base/quantity.ts';
import type { OpenedFiles } from '../../runtime/load/parse-file.ts';
import { readOutline } from '../../template/parse/read-outline.ts';
import type { DocumentKind } from '../../template/schema/meaning.ts';
import { analyze } from './analyze.ts';
import type { AnalyzedDocument } from './analyzed-document.ts';
import { diagnosticsBoard } from './diagnostics-board.ts';
import { kindOf } from './document-kind.ts';
import { parseHeld } from './parse-held.ts';
import { pathOfUri, uriOfPath } from './positions.ts';

/** The default of `delay`. */
const DELAY: Duration = 80;

interface WorkspaceListener {
  /** `version` is absent for files that the editor does not hold. */
  publish(uri: string, version: number | undefined, diagnostics: Diagnostic[]): void;
  /** Gets errors of the server itself. */
  report(text: string): void;
}

export interface Workspace {
  folders: readonly string[];
  /** The time without a change before a text is analyzed. */
  delay: Duration;
  readonly trusted: boolean;
  trust(trusted: boolean): void;
  changed(text: TextDocument): void;
  closed(uri: string): void;
  /** The document now; undefined for texts that are not ours. */
  documentAt(uri: string): AnalyzedDocument | undefined;
  /** The document after the analysis of its text. */
  analyzedAt(uri: string): Promise<AnalyzedDocument | undefined>;
  documents(): readonly AnalyzedDocument[];
  /** The address of the file that an issue of a document is in. */
  addressOf(uri: string, issue: Issue): string;
  close(): void;
}

interface HeldDocument {
  readonly uri: string;
  readonly path: string;
  text: TextDocument;
  kind: DocumentKind | undefined;
  document: AnalyzedDocument | undefined;
  timer: NodeJS.Timeout | undefined;
  /** The running or waiting analysis. */
  analysis: PromiseWithResolvers<void> | undefined;
}

export function openWorkspace(listener: WorkspaceListener): Workspace {
  const held = new Map<string, HeldDocument>();
  const board = diagnosticsBoard({
    targetOf: (uri, issue) => addressOf(held, uri, issue),
    publish: (uri, diagnostics) => listener.publish(uri, held.get(uri)?.text.version, diagnostics),
  });
  const opened: OpenedFiles = (path, file) => {
    const text = [...held.values()].find((each) => each.path === path)?.text;
    return text === undefined ? undefined : parseHeld(text, file);
  };
  const schedule = (each: HeldDocument): void => {
    clearTimeout(each.timer);
    each.analysis ??= Promise.withResolvers();
    each.timer = setTimeout(() => void run(each), workspace.delay);
  };

  async function run(each: HeldDocument): Promise<void> {
    const { text, analysis, path, kind, uri } = each;
    const { version } = text;
    const isStale = (): boolean => each.text.version !== version || held.get(uri) !== each;
    try {
      const project = workspace.folders.find((folder) => path.startsWith(folder)) ?? dirname(path);
      const settings = { trusted: workspace.trusted, opened, project };
      const result = kind === undefined ? undefined : await analyze(path, kind, version, settings);
      // A newer analysis is already scheduled.
      if (isStale()) return;
      const now = snapshot(each);
      // A text that cannot be resolved keeps what was understood before.
      const study = result?.study ?? now?.analysis?.study;
      if (now !== undefined && result !== undefined)
        each.document = { ...now, analysis: { ...result, ...defined({ study }) } };
      board.put(uri, result?.issues ?? []);
    } catch (error) {
      listener.report(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
    if (isStale()) return;
    each.analysis = undefined;
    analysis?.resolve();
  }

  const scheduleTemplates = (uri: string): void => {
    for (const each of held.values()) if (each.uri !== uri && each.kind === 'template') schedule(each);
  };
  let trusted = false;
  const workspace: Workspace = {
    folders: [],
    delay: DELAY,
    get trusted() {
      return trusted;
    },
    trust(next) {
      if (next === trusted) return;
      trusted = next;
      for (const each of held.values()) schedule(each);
    },
    changed(text) {
      const { uri } = text;
      const path = held.get(uri)?.path ?? pathOfUri(uri, workspace.folders[0] ?? process.cwd());
      const each = held.get(uri) ?? newlyHeld(uri, path, text);
      held.set(uri, each);
      each.text = text;
      each.kind = kindOf(path, text.languageId, readOutline(text.getText()), each.kind);
      schedule(each);
      // A template may include this document.
      scheduleTemplates(uri);
    },
    closed(uri) {
      const each = held.get(uri);
      clearTimeout(each?.timer);
      held.delete(uri);
      each?.analysis?.resolve();
      board.remove(uri);
      scheduleTemplates(uri);
    },
    documentAt(uri) {
      const each = held.get(uri);
      return each === undefined ? undefined : snapshot(each);
    },
    async analyzedAt(uri) {
      await held.get(uri)?.analysis?.promise;
      return workspace.documentAt(uri);
    },
    addressOf: (uri, issue) => addressOf(held, uri, issue),
    documents: () => [...held.values()].flatMap((each) => snapshot(each) ?? []),
    close() {
      for (const { timer } of held.values()) clearTimeout(timer);
    },
  };
  return workspace;
}

function newlyHeld(uri: string, path: string, text: TextDocument): HeldDocument {
  return { uri, path, text, kind: undefined, document: undefined, timer: undefined, analysis: undefined };
}

/** The document with its current text, and with the last analysis. */
function snapshot(each: HeldDocument): AnalyzedDocument | undefined {
  const { uri, path, text, kind, document } = each;
  if (kind === undefined) return undefined;
  const { version } = text;
  if (document?.version === version && document.kind === kind) return document;
  const outline = readOutline(text.getText());
  each.document = { uri, path, kind, text, version, outline, analysis: document?.analysis };
  return each.document;
}

function addressOf(held: ReadonlyMap<string, HeldDocument>, uri: string, { place }: Issue): string {
  const own = held.get(uri)?.path ?? '';
  const file = place?.file ?? '';
  if (file === '' || file === basename(own)) return uri;
  const path = resolve(dirname(own), file);
  return [...held.values()].find((each) => each.path === path)?.uri ?? uriOfPath(path);
}
