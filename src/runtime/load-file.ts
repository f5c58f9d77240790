// Loads a template with everything it names: included files, modules of capabilities, the catalog.
import { readFile } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import { type Issue, issue } from '../base/issue.ts';
import type { JsonObject } from '../base/json.ts';
import { bad, good, type Result } from '../base/result.ts';
import type { Capability } from '../capabilities/capability.ts';
import { loadModule } from '../capabilities/module.ts';
import { createRegistry, type Registry } from '../capabilities/registry.ts';
import { loadTemplate, readHead } from '../template/load.ts';
import { parseJson } from '../template/parse/parse-json.ts';
import type { Parsed, Tree } from '../template/parse/tree.ts';
import { placeIssue } from '../template/place-issues.ts';
import type { Template } from '../template/template.ts';

import { knownModels } from './known-models.ts';

export interface Loaded {
  readonly template: Template;
  readonly registry: Registry;
}

/**
 * `file` is relative to `folder`; what it names is relative to itself. Issues: TEMPLATE_UNREADABLE, those of modules,
 * and all that is wrong with the text.
 */
export async function loadFile(file: string, folder: string, own: readonly Capability[]): Promise<Result<Loaded>> {
  const parsed = await parseFile(file, folder);
  return parsed.ok ? loadParsed(parsed.value, file, folder, own) : parsed;
}

/** A template that a program has made. What it names is relative to `folder`; places count lines of its JSON. */
export async function loadDocument(
  document: JsonObject,
  folder: string,
  own: readonly Capability[],
): Promise<Result<Loaded>> {
  const name = typeof document.name === 'string' ? document.name : 'template';
  return loadParsed(parseJson(JSON.stringify(document, null, 2), name), name, folder, own);
}

async function loadParsed(
  parsed: Parsed,
  file: string,
  folder: string,
  own: readonly Capability[],
): Promise<Result<Loaded>> {
  const { tree } = parsed;
  const { catalog, modules, includes, models } = readHead(tree);
  const beside = dirname(resolve(folder, file));
  const sources = [...(catalog ? ['catalog'] : []), ...modules];
  const registry = await registryOf(sources, beside, own);
  if (!registry.ok) return bad(placed(registry.issues, tree));
  const texts = new Map<string, Parsed>();
  for (const each of includes) {
    const included = await parseFile(each, beside);
    if (included.ok) texts.set(each, included.value);
  }
  const known = await knownModels(process.env, models);
  const template = loadTemplate(parsed, registry.value.declarations(), texts, known);
  if (!template.ok) return template;
  return good({ template: template.value, registry: registry.value }, template.warnings);
}

/** The capabilities of a run that is taken up again, loaded as its template names them. */
export async function registryFor(
  { file, sources }: Template,
  folder: string,
  own: readonly Capability[],
): Promise<Result<Registry>> {
  const registry = await registryOf(sources, dirname(resolve(folder, file)), own);
  if (registry.ok) return registry;
  const parsed = await parseFile(file, folder);
  if (parsed.ok) return bad(placed(registry.issues, parsed.value.tree));
  return bad(registry.issues.map((each) => ({ ...each, message: `${each.message}; ${file} names it` })));
}

async function registryOf(
  sources: readonly string[],
  folder: string,
  own: readonly Capability[],
): Promise<Result<Registry>> {
  const capabilities = [...own];
  const issues: Issue[] = [];
  for (const source of sources) {
    const loaded = source === 'catalog' ? await loadCatalog() : await loadModule(source, folder);
    if (loaded.ok) capabilities.push(...loaded.value);
    else issues.push(...loaded.issues.map((each) => ({ ...each, path: ['capabilities', source, ...each.path] })));
  }
  return issues.length > 0 ? bad(issues) : createRegistry(capabilities);
}

/** Loaded when a template grants it: its packages are not needed otherwise. */
async function loadCatalog(): Promise<Result<readonly Capability[]>> {
  const { catalog } = await import('../capabilities/catalog/catalog.ts');
  return good(catalog);
}

/** YAML's parser is loaded for YAML alone. */
async function parseFile(file: string, folder: string): Promise<Result<Parsed>> {
  let text: string;
  try {
    text = await readFile(resolve(folder, file), 'utf8');
  } catch (thrown) {
    return bad([unreadable(file, thrown)]);
  }
  if (extname(file) === '.json') return good(parseJson(text, file));
  const { parseYaml } = await import('../template/parse/parse-yaml.ts');
  return good(parseYaml(text, file));
}

function unreadable(file: string, thrown: unknown): Issue {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file',
    EISDIR: 'it is a folder',
    EACCES: 'permission denied',
  };
  const reason = reasons[String(code)] ?? (thrown instanceof Error ? thrown.message : String(thrown));
  return issue('TEMPLATE_UNREADABLE', `cannot read "${file}": ${reason}`, {
    hint:
      code === 'ENOENT'
        ? 'paths are relative to the working directory; begin a template with: reconverge init'
        : undefined,
  });
}

/** Points at the line under `capabilities:` that names the module. */
function placed(issues: readonly Issue[], tree: Tree | undefined): readonly Issue[] {
  if (tree === undefined) return issues;
  return issues.map((each) => {
    const [key, source, ...rest] = each.path;
    if (key !== 'capabilities' || typeof source !== 'string') return each;
    const named = capabilityNames(tree).indexOf(source);
    // The text may have been changed since the run began.
    return placeIssue({ ...each, path: named < 0 ? ['capabilities'] : ['capabilities', named, ...rest] }, tree);
  });
}

function capabilityNames({ value }: Tree): readonly unknown[] {
  const list = typeof value === 'object' && value !== null && 'capabilities' in value ? value.capabilities : undefined;
  return Array.isArray(list) ? list : [];
}
