// Loads a template with everything that it names: included files, modules, the catalog, servers and other templates.
import { dirname, resolve } from 'node:path';
import { hasErrors, type Issue } from '../../base/issue.ts';
import { defined, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { Capability } from '../../capabilities/capability.ts';
import type { McpServers } from '../../capabilities/mcp/servers.ts';
import { loadModule } from '../../capabilities/module.ts';
import { createRegistry, type Registry } from '../../capabilities/registry.ts';
import { type Isolation, isolationOf } from '../../contract/isolation.ts';
import { overlayEnvironment } from '../../template/environment.ts';
import { readLockSetting } from '../../template/keys/lock.ts';
import type { McpServer } from '../../template/keys/mcp-server.ts';
import {
  type CapabilitySource,
  nameOfSource,
  readModuleSource,
  readTemplateSource,
  type TemplateSource,
} from '../../template/keys/source.ts';
import {
  issuesOfText,
  readHeader,
  type StudyArguments,
  studyTemplate,
  type TemplateStudy,
  templateOf,
} from '../../template/load.ts';
import { parseJson } from '../../template/parse/parse-json.ts';
import type { DocumentTree, ParsedDocument } from '../../template/parse/tree.ts';
import { placeIssue } from '../../template/place-in-file.ts';
import type { ChildTemplate, Template } from '../../template/template.ts';
import { type ListedBy, lockAtLoad } from '../lock/lock-at-load.ts';
import { boundary, issueWithout, type Surroundings } from '../ports/boundary.ts';
import { type Confinement, folderAlone, projectOf } from '../ports/confinement.ts';
import { knownModels } from './known-models.ts';
import { type Chain, childCapability, type LoadedChild, loadChild } from './load-child.ts';
import { compositionsOf, partsAssumed } from './load-compositions.ts';
import { loadUnchecked } from './load-unchecked.ts';
import { checkModelModules, modelModulesNotChecked } from './model-modules.ts';
import { type OpenedFiles, parseFile } from './parse-file.ts';
import { readIncludes } from './read-includes.ts';
import { offerGrants } from './ungranted.ts';
import { unknownSource } from './unknown-source.ts';
import { disguised, sourceNotChecked, unquoted, visibleOf } from './untrusted.ts';

/** Returns the tools of a server. `used`: all texts of the template, which include the names of the tools that it calls. */
type ToolsOf = (server: McpServer, folder: string, used: readonly string[]) => Promise<Result<readonly Capability[]>>;

export interface LoadedTemplate {
  readonly template: Template;
  readonly registry: Registry;
}

export interface LoadSettings {
  /** Capabilities besides those that the template names. */
  readonly own: readonly Capability[];
  readonly tools: ToolsOf;
  /** Lists the tools of a server, to compare them with the lock file; absent: they are not compared. */
  readonly listed?: ListedBy;
  /** The entry of the template's `environments` to apply. */
  readonly environment?: string | undefined;
  /** The variables that may name models; by default `process.env`. */
  readonly surroundings?: Surroundings;
  /** The templates that are being loaded and that lead to this one. */
  readonly chain?: Chain;
  /** No module or server is loaded for the template, and only files in its folder are read. */
  readonly untrusted?: boolean;
  /**
   * The profiles of the models of the program, by name. They answer for profiles of the same name, whose modules are not loaded.
   */
  readonly handedOver?: Readonly<Record<string, JsonObject | undefined>>;
  /** The folder that the template's files must be in; by default its project. */
  readonly within?: Confinement | undefined;
  /** The files that an editor holds. */
  readonly opened?: OpenedFiles;
  /** Loads modules; by default into this process. Models from modules are not checked with another loader. */
  readonly modules?: typeof loadModule;
  /** Receives everything that was understood of the template, even when it has errors. */
  readonly studied?: (study: TemplateStudy) => void;
}

/**
 * `file` is relative to `folder`; paths in the template are relative to the template. Issues: TEMPLATE_UNREADABLE, and
 * those of modules and of the text.
 */
export async function loadFile(file: string, folder: string, settings: LoadSettings): Promise<Result<LoadedTemplate>> {
  const refused = settings.untrusted === true ? await disguised(file, folder) : undefined;
  if (refused !== undefined) return bad([refused]);
  const parsed = await parseFile(file, folder, settings.opened);
  return parsed.ok ? loadParsed(parsed.value, file, folder, settings) : parsed;
}

/** The capabilities that a template grants, even when the template has errors: editors need them while an author writes. */
export async function loadGranted(file: string, folder: string, settings: LoadSettings): Promise<Result<Registry>> {
  const { untrusted = false } = settings;
  const refused = untrusted ? await disguised(file, folder) : undefined;
  if (refused !== undefined) return bad([refused]);
  const parsed = await parseFile(file, folder);
  if (!parsed.ok) return parsed;
  const { tree } = parsed.value;
  const { sources, includes } = readHeader(tree);
  const within = untrusted ? await folderAlone(dirname(resolve(folder, file))) : settings.within;
  const loaders = loadersFor(file, folder, { ...settings, within }, wordsIn(tree?.value));
  const registry = await registryOf(sources, settings.own, loaders);
  const told = (issues: readonly Issue[]): readonly Issue[] =>
    placed(issues, tree).map((each) => (untrusted ? unquoted(each, file, tree, includes) : each));
  return registry.ok ? good(registry.value, told(registry.warnings)) : bad(told(registry.error));
}

/** Loads a template from a document. Its paths are relative to `folder`; places count the lines of its JSON. */
export async function loadDocument(
  document: JsonObject,
  folder: string,
  settings: LoadSettings,
): Promise<Result<LoadedTemplate>> {
  const name = typeof document.name === 'string' ? document.name : 'template';
  return loadParsed(parseJson(JSON.stringify(document, null, 2), name), name, folder, settings);
}

async function loadParsed(
  parsed: ParsedDocument,
  file: string,
  folder: string,
  settings: LoadSettings,
): Promise<Result<LoadedTemplate>> {
  const { own, environment, untrusted = false } = settings;
  const loadTemplate = (...all: StudyArguments): Result<Template> => {
    const study = studyTemplate(...all);
    if (study === undefined) return bad(parsed.issues);
    settings.studied?.(study);
    return templateOf(study, environment);
  };
  const surroundings = untrusted ? visibleOf(settings.surroundings ?? process.env) : settings.surroundings;
  const { tree } = parsed;
  const { sources, includes, models } = readHeader(tree);
  const beside = dirname(resolve(folder, file));
  const within = settings.within ?? (untrusted ? await folderAlone(beside) : undefined);
  const templates = new Map<string, ChildTemplate>();
  const loaders = loadersFor(file, folder, { ...settings, within }, wordsIn(tree?.value));
  const registry = await registryOf(sources, own, {
    ...loaders,
    async child(source) {
      const loaded = await loaders.child(source);
      if (loaded.ok) templates.set(loaded.value.capability.declaration.name, loaded.value.child);
      return loaded;
    },
  });
  if (!registry.ok) {
    // A missing module must not hide misspelled keys. The issues of `capabilities` come from the registry.
    const others = issuesOfText(parsed).filter(({ path }) => path[0] !== 'capabilities');
    const study = settings.studied === undefined ? undefined : studyTemplate(parsed, {});
    if (study !== undefined) settings.studied?.(study);
    return bad(told([...others, ...placed(registry.error, tree)]));
  }
  const warnings = [...placed(registry.warnings, tree)];
  const texts =
    includes.length === 0
      ? new Map<string, ParsedDocument>()
      : await readIncludes(includes, {
          ...{ file, folder, tree },
          within: within ?? (await projectOf(beside)),
          ...defined({ opened: settings.opened }),
        });
  const { redactText } = boundary(surroundings ?? process.env);
  const known = await knownModels(
    surroundings ?? process.env,
    models || environment !== undefined,
    settings.handedOver,
  );
  const declarations = registry.value.declarations();
  const load = (models: typeof known): Result<Template> =>
    untrusted
      ? loadUnchecked(parsed, declarations, texts, models, environment, sources, loadTemplate)
      : loadTemplate(parsed, declarations, texts, models, environment);
  const template = load(known);
  if (!template.ok) {
    // A tool that has changed since it was locked may be the cause of these issues.
    const lock = readLockSetting(ownProperty(tree?.value, 'lock'));
    const locked = { file, sources, models: {}, ...defined({ lock }) };
    const held = untrusted ? good([]) : await lockAtLoad(locked, beside, settings.listed);
    const changed = placed(held.ok ? held.warnings : held.error, tree);
    return bad(told([...warnings, ...(await offerGrants(template.error, tree, namesOfCatalog)), ...changed]));
  }
  const { models: profiles } = template.value;
  const modules = untrusted
    ? modelModulesNotChecked(profiles)
    : (
        await checkModelModules(
          settings.modules === undefined ? profiles : {},
          beside,
          Object.keys(settings.handedOver ?? {}),
        )
      ).map((each) => issueWithout(each, redactText));
  const trees = [...texts.values()].flatMap((each) => each.tree ?? []);
  const ofModules = tree === undefined ? modules : modules.map((each) => placeIn(each, [tree, ...trees], environment));
  if (hasErrors(modules)) return bad(told([...warnings, ...template.warnings, ...ofModules]));
  warnings.push(...ofModules);
  const held = untrusted ? good([]) : await lockAtLoad(template.value, beside, settings.listed);
  if (!held.ok) return bad(told([...warnings, ...placed(held.error, tree)]));
  const whole = {
    ...(templates.size === 0 ? {} : { templates: Object.fromEntries(templates) }),
    ...(held.value.length === 0 ? {} : { differs: held.value }),
  };
  const value = { template: { ...template.value, ...whole }, registry: registry.value };
  return good(value, told([...warnings, ...template.warnings, ...placed(held.warnings, tree)]));

  function told(issues: readonly Issue[]): readonly Issue[] {
    return untrusted ? issues.map((each) => unquoted(each, file, tree, includes)) : issues;
  }
}

/** The loaders for the sources under `capabilities:`. */
interface SourceLoaders {
  /** The folder that paths of modules are relative to. */
  readonly beside: string;
  /** True: no module is loaded and no server is asked. */
  readonly untrusted?: boolean;
  readonly tools: (server: McpServer) => Promise<Result<readonly Capability[]>>;
  readonly child: (source: TemplateSource) => Promise<Result<LoadedChild>>;
  readonly redactText: (text: string) => string;
  readonly modules?: typeof loadModule;
}

function loadersFor(file: string, folder: string, settings: LoadSettings, used: readonly string[]): SourceLoaders {
  const beside = dirname(resolve(folder, file));
  const { chain = [], environment, surroundings = process.env, untrusted = false, within } = settings;
  return {
    beside,
    untrusted,
    redactText: boundary(surroundings).redactText,
    ...defined({ modules: settings.modules }),
    tools: (server) => settings.tools(server, beside, used),
    child: (source) =>
      loadChild(source, {
        ...{ file, folder, chain, environment, within },
        ...defined({ opened: settings.opened }),
        load: (parsed, named, { chain, environment }) =>
          loadParsed(parsed, named, folder, {
            ...withoutListener(settings),
            chain,
            environment,
            // A child template may belong to a nested project of its own.
            ...(untrusted ? {} : { within: undefined }),
          }),
      }),
  };
}

/** A child template is not what the listener asked for. */
function withoutListener({ studied: _, ...settings }: LoadSettings): LoadSettings {
  return settings;
}

/** The capabilities of a run that is resumed, as its template names them. */
export async function registryFor(
  { file, sources, capabilities }: Template,
  folder: string,
  own: readonly Capability[],
  pinned: McpServers['pinned'],
): Promise<Result<Registry>> {
  const beside = dirname(resolve(folder, file));
  const declared = Object.values(capabilities);
  const known = new Map(declared.filter(({ runs }) => runs !== undefined).map((each) => [each.name, each]));
  const loaded = sources.filter((source) => typeof source === 'string' || !('template' in source));
  const registry = await registryOf(loaded, [...own, ...[...known.values()].map(childCapability)], {
    beside,
    redactText: boundary(process.env).redactText,
    tools: async (server) => {
      const began = declared.filter(({ origin }) => origin?.server === server.name);
      return good(pinned(server, beside, began));
    },
    child: async () => bad([]),
  });
  if (registry.ok) return registry;
  const parsed = await parseFile(file, folder);
  if (parsed.ok) return bad(placed(registry.error, parsed.value.tree));
  return bad(registry.error.map((each) => ({ ...each, message: `${each.message}; ${file} names it` })));
}

async function registryOf(
  sources: readonly CapabilitySource[],
  own: readonly Capability[],
  { beside, tools, child, redactText, modules = loadModule, untrusted = false }: SourceLoaders,
): Promise<Result<Registry>> {
  const capabilities = [...own];
  const issues: Issue[] = [];
  // The error of a module may quote a secret of the environment.
  const fromModule = async (path: string, isolation?: Isolation): Promise<Result<readonly Capability[]>> => {
    const loaded = await modules(path, beside, isolation);
    return loaded.ok ? loaded : bad(loaded.error.map((each) => issueWithout(each, redactText)));
  };
  const load = async (source: CapabilitySource): Promise<Result<readonly Capability[]>> => {
    if (typeof source === 'string') {
      const fromUs = await fromCatalog(source);
      if (fromUs !== undefined) return fromUs;
      if (!PATH.test(source)) return bad([unknownSource(source, await namesOfCatalog())]);
    }
    const unchecked = untrusted ? sourceNotChecked(source) : undefined;
    if (unchecked !== undefined) return good([], [unchecked]);
    if (typeof source === 'string') return fromModule(source);
    if ('module' in source) return fromModule(source.module.file, isolationOf(source.module));
    if ('template' in source) return asCapability(await child(source.template));
    return 'mcp' in source ? tools(source.mcp) : good([]);
  };
  // In parallel, because servers start slowly.
  const all = await Promise.all(sources.map(async (source) => ({ source, loaded: await load(source) })));
  const certain = new Set(all.flatMap(({ loaded }) => (loaded.ok ? loaded.value.filter(isCertain).map(nameOf) : [])));
  for (const { source, loaded } of all) {
    if (loaded.ok) capabilities.push(...loaded.value.filter((each) => isCertain(each) || !certain.has(nameOf(each))));
    const found = loaded.ok ? loaded.warnings : loaded.error;
    issues.push(...found.map((each) => ({ ...each, path: ['capabilities', nameOfSource(source), ...each.path] })));
  }
  if (untrusted) capabilities.push(...(await partsAssumed(sources, capabilities)));
  const composed = hasErrors(issues) ? good([]) : await compositionsOf(sources, capabilities);
  if (composed.ok) capabilities.push(...composed.value);
  issues.push(...(composed.ok ? composed.warnings : composed.error));
  if (hasErrors(issues)) return bad(issues);
  const registry = createRegistry(capabilities);
  return registry.ok ? good(registry.value, issues) : bad([...issues, ...registry.error]);
}

function asCapability(loaded: Result<LoadedChild>): Result<readonly Capability[]> {
  return loaded.ok ? good([loaded.value.capability], loaded.warnings) : loaded;
}

function nameOf({ declaration }: Capability): string {
  return declaration.name;
}

/** False for an assumed tool of a server that was not asked. A loaded capability of the same name replaces it. */
function isCertain({ declaration: { tags, origin } }: Capability): boolean {
  return origin !== undefined || !tags.includes('mcp');
}

function wordsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(wordsIn) : [];
}

const PATH = /[/\\]|\.[cm]?[jt]s$/;

/** The whole catalog, or the capability of that name. Imported only when a template grants it, to load its packages late. */
async function fromCatalog(source: string): Promise<Result<readonly Capability[]> | undefined> {
  if (PATH.test(source)) return undefined;
  const { catalog, byNameOnly } = await import('../../capabilities/catalog/catalog.ts');
  if (source === 'catalog') return good(catalog);
  const named = [...catalog, ...byNameOnly].filter(({ declaration }) => declaration.name === source);
  return named.length === 0 ? undefined : good(named);
}

/** The names that `capabilities` may list. */
async function namesOfCatalog(): Promise<readonly string[]> {
  const { catalog, byNameOnly } = await import('../../capabilities/catalog/catalog.ts');
  return [...catalog, ...byNameOnly].map(nameOf);
}

/** Places issues of a source at its line under `capabilities:`. */
function placed(issues: readonly Issue[], tree: DocumentTree | undefined): readonly Issue[] {
  if (tree === undefined) return issues;
  return issues.map((each) => {
    const [key, source, ...rest] = each.path;
    if (key === 'lock') return placeIssue(each, tree);
    if (key !== 'capabilities' || typeof source !== 'string') return each;
    const named = capabilityNames(tree).indexOf(source);
    // The file may have changed since the run began.
    return placeIssue({ ...each, path: named < 0 ? ['capabilities'] : ['capabilities', named, ...rest] }, tree);
  });
}

/** Places an issue of a model in the file that declares the model. */
function placeIn(
  found: Issue,
  written: readonly [DocumentTree, ...DocumentTree[]],
  environment: string | undefined,
): Issue {
  const [key, name] = found.path;
  const trees = environment === undefined ? written : overlayEnvironment(written, environment);
  const declares = ({ value }: DocumentTree): boolean =>
    typeof name === 'string' && ownProperty(ownProperty(value, String(key)), name) !== undefined;
  return placeIssue(found, trees.find(declares) ?? trees[0]);
}

function capabilityNames({ value }: DocumentTree): readonly unknown[] {
  const list = typeof value === 'object' && value !== null && 'capabilities' in value ? value.capabilities : undefined;
  if (!Array.isArray(list)) return [];
  return list.map((each: Json) => {
    if (typeof each === 'string') return each;
    const module = readModuleSource(ownProperty(each, 'module'));
    if (module !== undefined) return typeof module === 'string' ? module : module.file;
    const template = readTemplateSource(ownProperty(each, 'template'));
    if (template !== undefined) return nameOfSource({ template });
    return ownProperty(ownProperty(each, 'mcp') ?? ownProperty(each, 'compose'), 'name');
  });
}
