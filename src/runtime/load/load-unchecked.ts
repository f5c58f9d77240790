// Loads an untrusted template from the files that may be read. Everything that depends on other files is listed as not checked.
import { hasErrors, type Issue } from '../../base/issue.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { Declaration } from '../../contract/declaration.ts';
import { isGranted } from '../../contract/grant.ts';
import type { KnownModels } from '../../template/keys/model.ts';
import type { CapabilitySource } from '../../template/keys/source.ts';
import { issuesOfText, type loadTemplate } from '../../template/load.ts';
import type { ParsedDocument } from '../../template/parse/tree.ts';
import type { Template } from '../../template/template.ts';
import { assumed, isAssumed, meaningNotChecked, notChecked, withoutProse } from './untrusted.ts';

type Declarations = Readonly<Record<string, Declaration>>;

/** Like `loadTemplate`. `sources`: the sources of capabilities, of which modules and servers were not loaded; `loadAll`: loads the rest. */
export function loadUnchecked(
  parsed: ParsedDocument,
  declarations: Declarations,
  includes: ReadonlyMap<string, ParsedDocument>,
  known: KnownModels,
  environment: string | undefined,
  sources: readonly CapabilitySource[],
  loadAll: typeof loadTemplate,
): Result<Template> {
  const unread = [...includes].flatMap(([file, { issues }]) => (issues.some(isNotChecked) ? [file] : []));
  // The effects of a composition are unknown when it calls a capability that was not loaded.
  const granted = Object.fromEntries(
    Object.entries(declarations).map(([name, each]) => [name, isAssumed(each) ? { ...each, effects: [] } : each]),
  );
  const load = (models: KnownModels): Result<Template> =>
    loadAll(parsed, granted, includes, models, environment, (named) => assumptions(named, declarations, sources));
  const first = load(known);
  const lacksModel = !first.ok && first.error.some(({ code }) => code === 'MODEL_NOT_CONFIGURED');
  const loaded = lacksModel ? load(withSomeModel(known, parsed, includes)) : first;
  const notes = lacksModel ? [modelNotChecked()] : [];
  if (loaded.ok) return good(withoutProse(loaded.value), [...notes, ...loaded.warnings]);
  if (unread.length === 0) return bad([...notes, ...loaded.error]);
  // Steps, agents and models of a file that was not read are unknown, so only issues of the read texts are certain.
  const certain = [...includes.values()].flatMap(({ issues }) => issues);
  const found: readonly Issue[] = [...issuesOfText(parsed), ...certain];
  return bad([...found, ...(hasErrors(found) ? [] : unread.map(meaningNotChecked))]);
}

function isNotChecked({ code }: Issue): boolean {
  return code === 'NOT_CHECKED';
}

/** Placeholders for unknown names that a module, server or template which was not loaded may provide. */
function assumptions(
  named: readonly string[],
  declarations: Declarations,
  sources: readonly CapabilitySource[],
): Declarations {
  const known = Object.keys(declarations);
  const unknown = named.filter((name) => !known.some((each) => isGranted(each, [name], [])));
  const servers = sources.flatMap((source) => (typeof source === 'object' && 'mcp' in source ? [source.mcp.name] : []));
  const isAnybodys = sources.some((source) =>
    typeof source === 'string'
      ? source !== 'catalog' && !Object.hasOwn(declarations, source)
      : 'template' in source || 'module' in source,
  );
  const likely = unknown.filter((name) => isAnybodys || servers.some((server) => name.startsWith(`${server}.`)));
  return Object.fromEntries(likely.map((name) => name.replace(/\*+/g, 'any')).map((name) => [name, assumed(name)]));
}

const SOME_MODEL = 'not-checked';

/** Adds a placeholder for the model that the environment would name; it costs nothing, because a check calls no model. */
function withSomeModel(
  known: KnownModels,
  parsed: ParsedDocument,
  includes: ReadonlyMap<string, ParsedDocument>,
): KnownModels {
  const texts = JSON.stringify([parsed, ...includes.values()].map(({ tree }) => tree?.value ?? null));
  const variables = [...texts.matchAll(/\$\{env\.(\w+)\}/g)].map(([, name = '']) => [name, SOME_MODEL] as const);
  return {
    ...known,
    env: { ...Object.fromEntries(variables), ...known.env },
    profiles: { default: { model: SOME_MODEL }, ...known.profiles },
    priceOf: (model) => (model === SOME_MODEL ? { input: 0, output: 0 } : known.priceOf(model)),
  };
}

function modelNotChecked(): Issue {
  return notChecked(
    'the model that the environment names is not known, so its price was not checked',
    'set RECONVERGE_MODEL, or run the same command without --untrusted',
  );
}
