// The documents that an editor holds: analyzes each a moment after its last change, and publishes what was found.
import { basename, dirname, resolve } from 'node:path';
import type { Diagnostic } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Issue } from '../../base/issue.ts';
import { defined } from '../../base/json.ts';
import type { Duration } from '../../base/quantity.ts';
import type { OpenedFiles } from '../../runtime/load/parse-file.ts';
import type { Outline } from '../../template/parse/outline.ts';
import { readOutline } from '../../template/parse/read-outline.ts';
import type { ParsedDocument } from '../../template/parse/tree.ts';
import type { DocumentKind } from '../../template/schema/meaning.ts';
import { type AnalysisSettings, analyze } from './analyze.ts';
import type { AnalyzedDocument } from './analyzed-document.ts';
import { diagnosticsBoard } from './diagnostics-board.ts';
import { kindOf } from './document-kind.ts';
import { includerOf } from './family.ts';
import { moduleMemory } from './module-memory.ts';
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
  /** Files on the disk have changed, by their absolute paths. */
  filesChanged(paths: readonly string[]): void;
  /** The text of any document that the editor holds. */
  textAt(uri: string): TextDocument | undefined;
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
  /** The outline of the current text. */
  outline: Outline;
  kind: DocumentKind | undefined;
  document: AnalyzedDocument | undefined;
  timer: NodeJS.Timeout | undefined;
  /** The template that includes the document, for an included file. */
  includer: Promise<string | undefined> | undefined;
  /** The running or waiting analysis. */
  analysis: PromiseWithResolvers<void> | undefined;
}

export function openWorkspace(listener: WorkspaceListener): Workspace {
  const held = new Map<string, HeldDocument>();
  const modules = moduleMemory();
  const board = diagnosticsBoard({
    targetOf: (uri, issue) => addressOf(held, uri, issue),
    publish: (uri, diagnostics) => listener.publish(uri, held.get(uri)?.text.version, diagnostics),
  });
  const opened: OpenedFiles = (...named) => parsedAt(held, ...named);
  const schedule = (each: HeldDocument): void => {
    clearTimeout(each.timer);
    each.analysis ??= Promise.withResolvers();
    each.timer = setTimeout(() => void run(each), workspace.delay);
  };

  async function settingsFor(each: HeldDocument): Promise<AnalysisSettings> {
    const { path, kind } = each;
    const project = workspace.folders.find((folder) => path.startsWith(folder)) ?? dirname(path);
    if (kind === 'include') each.includer ??= includerOf(workspace, path);
    const includer = kind === 'include' ? await each.includer : undefined;
    return { trusted: workspace.trusted, opened, project, modules: modules.load, ...defined({ includer }) };
  }

  async function run(each: HeldDocument): Promise<void> {
    const { text, analysis, path, kind, uri } = each;
    const { version } = text;
    /** A newer analysis is already scheduled. */
    const isStale = (): boolean => each.text.version !== version || held.get(uri) !== each;
    try {
      const result = kind === undefined ? undefined : await analyze(path, kind, version, await settingsFor(each));
      if (isStale()) return;
      const now = snapshot(each);
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

  /** Analyzes the templates again that name a file. */
  const scheduleTemplates = (path: string): void => {
    for (const each of held.values()) if (isNaming(each, path)) schedule(each);
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
      const each = hold(held, text, workspace.folders[0] ?? process.cwd());
      schedule(each);
      // A template may include this document.
      scheduleTemplates(each.path);
    },
    filesChanged(paths) {
      if (paths.some((path) => !/\.(?:ya?ml|json)$/.test(path))) modules.forget();
      for (const each of held.values()) each.includer = undefined;
      for (const path of paths) scheduleTemplates(path);
      if (paths.some((path) => /\.[cm]?[jt]s$/.test(path))) for (const each of held.values()) schedule(each);
    },
    closed(uri) {
      const each = held.get(uri);
      clearTimeout(each?.timer);
      held.delete(uri);
      each?.analysis?.resolve();
      board.remove(uri);
      if (each !== undefined) scheduleTemplates(each.path);
    },
    textAt: (uri) => held.get(uri)?.text,
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
    close: () => [...held.values()].forEach(({ timer }) => void clearTimeout(timer)),
  };
  return workspace;
}

function isNaming({ kind, path, text }: HeldDocument, other: string): boolean {
  return kind === 'template' && path !== other && text.getText().includes(basename(other));
}

/** Takes the new text of a document. */
function hold(held: Map<string, HeldDocument>, text: TextDocument, folder: string): HeldDocument {
  const { uri } = text;
  const each = held.get(uri) ?? newlyHeld(uri, pathOfUri(uri, folder), text);
  held.set(uri, each);
  each.text = text;
  each.outline = readOutline(text.getText());
  each.kind = kindOf(each.path, text.languageId, each.outline, each.kind);
  return each;
}

function newlyHeld(uri: string, path: string, text: TextDocument): HeldDocument {
  const nothing = { kind: undefined, document: undefined, timer: undefined, includer: undefined, analysis: undefined };
  return { uri, path, text, outline: readOutline(text.getText()), ...nothing };
}

/** The document with its current text, and with the last analysis. */
function snapshot(each: HeldDocument): AnalyzedDocument | undefined {
  const { uri, path, text, kind, document } = each;
  if (kind === undefined) return undefined;
  const { version } = text;
  if (document?.version === version && document.kind === kind) return document;
  each.document = { uri, path, kind, text, version, outline: each.outline, analysis: document?.analysis };
  return each.document;
}

function parsedAt(held: ReadonlyMap<string, HeldDocument>, path: string, file: string): ParsedDocument | undefined {
  const text = [...held.values()].find((each) => each.path === path)?.text;
  return text === undefined ? undefined : parseHeld(text, file);
}

function addressOf(held: ReadonlyMap<string, HeldDocument>, uri: string, { place }: Issue): string {
  const own = held.get(uri)?.path ?? '';
  const file = place?.file ?? '';
  if (file === '' || file === basename(own)) return uri;
  const path = resolve(dirname(own), file);
  return [...held.values()].find((each) => each.path === path)?.uri ?? uriOfPath(path);
}
