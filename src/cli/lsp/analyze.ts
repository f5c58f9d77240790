// Checks one document of an editor, like `validate` does.
import { basename, dirname, join, resolve } from 'node:path';
import { hasErrors, type Issue } from '../../base/issue.ts';
import { defined } from '../../base/json.ts';
import { good, type Result } from '../../base/result.ts';
import { offlineTools } from '../../capabilities/mcp/offline-tools.ts';
import { type LoadedTemplate, type LoadSettings, loadFile } from '../../runtime/load/load-file.ts';
import type { OpenedFiles } from '../../runtime/load/parse-file.ts';
import { templateAdvice } from '../../runtime/load/template-advice.ts';
import { listingsBeside } from '../../store/store-files.ts';
import type { TemplateStudy } from '../../template/load.ts';
import type { DocumentTree, ParsedDocument } from '../../template/parse/tree.ts';
import { placeIssue } from '../../template/place-in-file.ts';
import type { DocumentKind } from '../../template/schema/meaning.ts';
import { checkShape } from '../../template/shape.ts';
import type { Analysis } from './analyzed-document.ts';

export interface AnalysisSettings {
  /** False: no module is loaded and no file outside the folder of the template is read. */
  readonly trusted: boolean;
  readonly opened: OpenedFiles;
  readonly modules: LoadSettings['modules'];
  /** The path of a template that includes the document. */
  readonly includer?: string;
  /** The folder with the project's store, which holds the last tool lists of MCP servers. */
  readonly project: string;
}

/** @param path absolute */
export async function analyze(
  path: string,
  kind: DocumentKind,
  version: number,
  settings: AnalysisSettings,
): Promise<Analysis> {
  const [file, folder] = [basename(path), dirname(path)];
  if (kind === 'include' && settings.includer !== undefined)
    return analyzeIncluded(path, version, settings.includer, settings);
  if (kind !== 'template') return { version, issues: shapeIssues(settings.opened(path, file), kind) };
  let study: TemplateStudy | undefined;
  const loaded = await loadFile(file, folder, {
    ...loadSettings(settings),
    studied: (found) => {
      study = found;
    },
  });
  const issues = loaded.ok ? await withAdvice(file, folder, loaded, settings) : loaded.error;
  const template = loaded.ok && !hasErrors(issues) ? loaded.value.template : undefined;
  return { version, issues, ...defined({ study, template }) };
}

/** Checks an included file as a part of its template. The issues of an untrusted template do not quote included files, so only the shape counts. */
async function analyzeIncluded(
  path: string,
  version: number,
  includer: string,
  { includer: _, ...settings }: AnalysisSettings,
): Promise<Analysis> {
  const { issues, study } = await analyze(includer, 'template', version, settings);
  const file = basename(path);
  const own = issues.filter(({ place }) => place !== undefined && resolve(dirname(includer), place.file) === path);
  const found = settings.trusted
    ? own.map((each) => (each.place === undefined ? each : { ...each, place: { ...each.place, file } }))
    : shapeIssues(settings.opened(path, file), 'include');
  return { version, issues: found, ...defined({ study }) };
}

function loadSettings({ trusted, opened, project, modules }: AnalysisSettings): LoadSettings {
  if (!trusted) return { own: [], tools: async () => good([]), untrusted: true, opened };
  const store = process.env.RECONVERGE_STORE ?? join(project, '.reconverge', 'runs.db');
  const cache = listingsBeside(store);
  return {
    own: [],
    tools: (server, folder, used) => offlineTools(server, folder, { cache, used, now: Date.now() }),
    opened,
    ...defined({ modules }),
  };
}

async function withAdvice(
  file: string,
  folder: string,
  { value, warnings }: Extract<Result<LoadedTemplate>, { readonly ok: true }>,
  { trusted, opened }: AnalysisSettings,
): Promise<readonly Issue[]> {
  const advice = await templateAdvice(file, value.template, trusted, { folder, opened });
  return [...warnings, ...advice];
}

function shapeIssues(parsed: ParsedDocument | undefined, kind: DocumentKind): readonly Issue[] {
  if (parsed === undefined) return [];
  const { tree, issues } = parsed;
  return tree === undefined ? issues : [...issues, ...checked(tree, kind)];
}

function checked(tree: DocumentTree, kind: DocumentKind): readonly Issue[] {
  return checkShape(tree.value, kind).issues.map((each) => placeIssue(each, tree));
}
