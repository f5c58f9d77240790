// Loads a template that another template names as a capability, and derives its contracts, effects and bounds.
import { realpathSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { Fault } from '../../base/fault.ts';
import { hasErrors, type Issue, issue } from '../../base/issue.ts';
import { defined, isJsonObject, type Json, ownProperty } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { Limit } from '../../budget/amount.ts';
import { limitKeys } from '../../budget/limits.ts';
import { type Capability, capabilityOf } from '../../capabilities/capability.ts';
import { type Declaration, isMutating } from '../../contract/declaration.ts';
import { type BoundRow, boundOf } from '../../engine/bound/bound.ts';
import { checkAuthoredSteps, widthOf } from '../../template/check/budgets.ts';
import { effectsOf } from '../../template/effects-of.ts';
import type { TemplateSource } from '../../template/keys/source.ts';
import { outputContractOf } from '../../template/output-contract.ts';
import type { ParsedDocument } from '../../template/parse/tree.ts';
import type { ChildTemplate, Template } from '../../template/template.ts';
import { withinBudget } from '../../template/within-budget.ts';
import { type Confinement, projectOf } from '../ports/confinement.ts';
import { type OpenedFiles, parseConfined } from './parse-file.ts';

/** The templates that are being loaded; each one names the next. */
export type Chain = readonly string[];

interface ParentTemplate {
  /** The path of the parent template, relative to `folder`. */
  readonly file: string;
  readonly folder: string;
  readonly chain: Chain;
  readonly environment: string | undefined;
  /** The folder that the child template must be in. */
  readonly within: Confinement | undefined;
  readonly opened?: OpenedFiles;
  readonly load: (
    parsed: ParsedDocument,
    file: string,
    how: { readonly chain: Chain; readonly environment: string | undefined },
  ) => Promise<Result<{ readonly template: Template }>>;
}

export interface LoadedChild {
  readonly capability: Capability;
  readonly child: ChildTemplate;
}

/** The longest chain of templates that name each other. */
const DEEPEST = 5;

/** Issues: TEMPLATE_CYCLE, TEMPLATE_TOO_DEEP, TEMPLATE_UNREADABLE, CAPABILITY_NAME_INVALID, BUDGET_BELOW_TEMPLATE, and those of the child template. */
export async function loadChild(source: TemplateSource, around: ParentTemplate): Promise<Result<LoadedChild>> {
  const { folder, load } = around;
  const file = isAbsolute(source.file) ? source.file : join(dirname(around.file), source.file);
  const chain = [...(around.chain.length === 0 ? [around.file] : around.chain), file];
  const endless = circleIn(chain, folder) ?? depthOf(chain);
  if (endless !== undefined) return bad([endless]);
  const within = around.within ?? (await projectOf(dirname(resolve(folder, around.file))));
  const parsed = await parseConfined(file, folder, within, source.file, around.opened);
  if (!parsed.ok) return bad(parsed.error.map(missing));
  const environment = hasEnvironment(parsed.value, around.environment) ? around.environment : undefined;
  const loaded = await load(parsed.value, file, { chain, environment });
  if (!loaded.ok) return loaded;
  const template =
    source.budget === undefined ? loaded.value.template : withinBudget(loaded.value.template, source.budget);
  // An untrusted file is not quoted.
  const { description: said, ...unsaid } = template;
  const isQuoted = said !== undefined && !within.untrusted;
  const declaration = declarationOf(source, isQuoted ? template : unsaid);
  const issues = [...nameIssues(declaration), ...budgetIssues(source, template)];
  if (hasErrors(issues)) return bad(issues);
  const capability = childCapability(declaration);
  return good({ capability, child: { template, most: mostOf(template), usual: usualOf(template) } }, loaded.warnings);
}

/** The capability for a child template of a resumed run, from its recorded declaration. */
export function childCapability(declaration: Declaration): Capability {
  return capabilityOf(declaration, () => {
    throw new Fault(`${declaration.name} is a template, and was called as a function`);
  });
}

function missing(found: Issue): Issue {
  return found.code === 'TEMPLATE_UNREADABLE'
    ? { ...found, hint: 'correct its path, which is relative to this template' }
    : found;
}

function circleIn(chain: Chain, folder: string): Issue | undefined {
  const paths = chain.map((file) => truePath(resolve(folder, file)));
  const first = paths.indexOf(paths.at(-1) ?? '');
  if (first === chain.length - 1) return undefined;
  return issue('TEMPLATE_CYCLE', `templates call each other in a cycle: ${chain.slice(first).join(' → ')}`, {
    hint: 'remove one of these calls: a run that starts itself never ends',
  });
}

function depthOf(chain: Chain): Issue | undefined {
  if (chain.length <= DEEPEST) return undefined;
  return issue('TEMPLATE_TOO_DEEP', `templates call each other ${chain.length} levels deep: ${chain.join(' → ')}`, {
    hint: `call an inner template directly: at most ${DEEPEST} levels are allowed`,
  });
}

function truePath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** A child template uses the environment of its parent template, if it has one of that name. */
function hasEnvironment({ tree }: ParsedDocument, environment: string | undefined): boolean {
  if (environment === undefined || !isJsonObject(tree?.value)) return false;
  return ownProperty(tree.value.environments as Json | undefined, environment) !== undefined;
}

function declarationOf({ file, name, description }: TemplateSource, template: Template): Declaration {
  const effects = effectsOf(template);
  const { cost_usd: cost } = mostOf(template);
  const planners = template.steps.filter(({ type }) => type === 'planning').length;
  return {
    name: name ?? nameOf(template.name === '' ? basename(file, extname(file)) : template.name),
    description: description ?? template.description ?? `Runs the template "${template.name}".`,
    ...defined({ input: template.input }),
    output: outputContractOf(template),
    effects,
    tags: template.contextTags,
    cost: { ms: template.budget.wallClock, ...defined({ micro_dollars: cost === 0 ? undefined : cost }) },
    repeat: isMutating({ effects }) ? 'keyed' : 'safe',
    runs: { template: template.digest, steps: template.steps.length + widthOf(template.steps), phases: planners },
  };
}

/** The name of a capability for a template: `profile-data-folder` → `profile_data_folder`. */
function nameOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9.]+/g, '_');
}

const NAME = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/;

function nameIssues({ name }: Declaration): readonly Issue[] {
  if (NAME.test(name)) return [];
  return [
    issue('CAPABILITY_NAME_INVALID', `capability "${name}" has a name that is not lower-case words joined by dots`, {
      path: ['template'],
      hint: 'give it a name: { file: …, name: audit.one }',
    }),
  ];
}

function budgetIssues({ budget }: TemplateSource, template: Template): readonly Issue[] {
  if (budget === undefined) return [];
  const found = checkAuthoredSteps(template.steps, template.budget, template.budgetKeys);
  return found.map((each) => ({
    ...each,
    path: ['template', 'budget'],
    hint: 'raise this limit: the authored steps alone need more',
  }));
}

/** As `explain` says of it, where it says a number. */
function mostOf(template: Template): Limit {
  return limitBy(template, ({ bound }) => bound);
}

function usualOf(template: Template): NonNullable<ChildTemplate['usual']> {
  return {
    least: limitBy(template, ({ ifNothingFails }) => ifNothingFails.least),
    most: limitBy(template, ({ ifNothingFails }) => ifNothingFails.most),
  };
}

function limitBy(template: Template, figure: (row: BoundRow) => number | undefined): Limit {
  const rows = new Map(boundOf(template).map((row) => [row.resource, figure(row)]));
  const most = Object.values(limitKeys).flatMap((of) => {
    // A resource without a row is not used.
    const bound = rows.has(of) ? rows.get(of) : 0;
    return bound === undefined ? [] : [[of, bound] as const];
  });
  return Object.fromEntries(most);
}
