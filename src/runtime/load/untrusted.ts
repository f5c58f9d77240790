// Untrusted templates: placeholders for everything that is not loaded for them, and the issue NOT_CHECKED for each.

import { realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Issue, issue } from '../../base/issue.ts';
import { defined } from '../../base/json.ts';
import { type Capability, capabilityOf } from '../../capabilities/capability.ts';
import { CapabilityError } from '../../capabilities/capability-error.ts';
import { isInside } from '../../capabilities/is-inside.ts';
import type { Registry } from '../../capabilities/registry.ts';
import type { Declaration } from '../../contract/declaration.ts';
import type { CapabilitySource } from '../../template/keys/source.ts';
import type { DocumentTree } from '../../template/parse/tree.ts';
import { placeIssue } from '../../template/place-in-file.ts';
import type { PlanningSpec, StepSpec } from '../../template/step-spec.ts';
import type { Template } from '../../template/template.ts';
import type { Surroundings } from '../ports/boundary.ts';
import { noDocument } from '../ports/confinement.ts';

const TAG = 'not-checked';

/** The issue has the severity `info`, which changes no exit code. */
export function notChecked(message: string, hint: string): Issue {
  return issue('NOT_CHECKED', message, { severity: 'info', hint });
}

/** The declaration of a capability of which only the name is known. */
export function assumed(name: string): Declaration {
  return {
    name,
    description: 'Not checked: neither its contracts nor its effects are known.',
    effects: [],
    tags: [TAG],
    cost: {},
  };
}

export function assumedCapability(name: string): Capability {
  return capabilityOf(assumed(name), () => {
    throw new CapabilityError('NOT_CHECKED', `"${name}" was not loaded`, { retry: 'never' });
  });
}

export function isAssumed({ tags }: Pick<Declaration, 'tags'>): boolean {
  return tags.includes(TAG);
}

export const RUN_TRUSTED = 'read it, then run the same command without --untrusted';

/** The issue for a source that is neither loaded nor started; undefined for a source that is data. */
export function sourceNotChecked(source: CapabilitySource): Issue | undefined {
  const module = typeof source === 'string' ? source : 'module' in source ? source.module.file : undefined;
  if (module !== undefined) return notChecked(`the module "${module}" was not loaded`, RUN_TRUSTED);
  if (typeof source === 'object' && 'mcp' in source) {
    const hint = 'look at its command or address, then run: reconverge validate --live';
    return notChecked(`the MCP server "${source.mcp.name}" was not started or asked`, hint);
  }
  return undefined;
}

export function fileNotChecked(file: string): Issue {
  return notChecked(`the file "${file}" was not read: it lies outside the template's folder`, RUN_TRUSTED);
}

export function meaningNotChecked(file: string): Issue {
  return notChecked(`everything that depends on the file "${file}" was not checked`, RUN_TRUSTED);
}

/** Only the names of models: no other variable of the environment may appear in messages. */
export function visibleOf({ RECONVERGE_MODEL, RECONVERGE_EMBEDDINGS }: Surroundings): Surroundings {
  return { RECONVERGE_MODEL, RECONVERGE_EMBEDDINGS };
}

/** Placeholders for the variables that the template names: the value of `X` is `<X>`. */
function placeholders(template: Template): Surroundings {
  const named = JSON.stringify(template).matchAll(/\$\{(?:env|secret)\.(\w+)/g);
  return Object.fromEntries([...named].map(([, name = '']) => [name, `<${name}>`]));
}

/** The capabilities for a dry run of an untrusted template: the loaded ones, and placeholders for the rest. */
export function withoutLoading({ template, registry }: { readonly template: Template; readonly registry: Registry }): {
  readonly template: Template;
  readonly capabilities: readonly Capability[];
  readonly surroundings: Surroundings;
} {
  const declared = Object.values(template.capabilities).filter(({ runs }) => runs === undefined);
  const capabilities = declared.map(({ name }) => registry.get(name) ?? assumedCapability(name));
  return { template: { ...template, sources: [] }, capabilities, surroundings: placeholders(template) };
}

/**
 * Refuses a template that is a symbolic link to a file outside its folder, so that a link cannot show other files of the
 * machine. Issues: INCLUDE_OUTSIDE_PROJECT, INCLUDE_EXTENSION_UNKNOWN.
 */
export async function disguised(file: string, folder: string): Promise<Issue | undefined> {
  const path = resolve(folder, file);
  const [real, beside, here] = await Promise.all(
    [path, dirname(path), folder].map((each) => realpath(each).catch(() => resolve(each))),
  );
  if (real === undefined || beside === undefined || here === undefined) return undefined;
  const isLinked = !isInside(beside, real) || (isInside(resolve(folder), path) && !isInside(here, real));
  if (!isLinked) return noDocument(path, file);
  return issue('INCLUDE_OUTSIDE_PROJECT', `"${file}" is a link that leads outside its folder`, {
    hint: 'check the file that it leads to, or put the template in its place',
  });
}

/** Replaces an issue of an included file by one that tells its place and quotes nothing. */
export function unquoted(
  found: Issue,
  file: string,
  tree: DocumentTree | undefined,
  includes: readonly string[],
): Issue {
  const { place, severity, code } = found;
  if (place === undefined || place.file === file) return found;
  const included = includes.findIndex((each) => join(dirname(file), each) === place.file);
  const path = included < 0 ? found.path.slice(0, 2) : ['include', included];
  const what = code === 'NOT_CHECKED' ? 'names something that was not checked' : 'has an error';
  const message = `the file "${place.file}" ${what}, in line ${place.line}; its text is not quoted here`;
  const told = issue(code, message, { severity, path, hint: RUN_TRUSTED });
  return tree === undefined ? told : placeIssue(told, tree);
}

const UNQUOTED = '(not quoted)';

/** True when some steps come from another file. */
export function includesSteps({ steps, file }: Template): boolean {
  return steps.some(({ place }) => place !== undefined && place.file !== file);
}

/** Removes descriptions, prompts, goals and constraints from the steps of included files. */
export function withoutProse(template: Template): Template {
  const isIncluded = ({ place }: StepSpec): boolean => place !== undefined && place.file !== template.file;
  return { ...template, steps: template.steps.map((step) => (isIncluded(step) ? withoutSentences(step) : step)) };
}

function withoutSentences({ description: _, ...step }: StepSpec): StepSpec {
  const { gate, approval, planning, fanOut } = step;
  return {
    ...step,
    ...defined({
      gate: gate === undefined ? undefined : { ...gate, prompt: UNQUOTED },
      approval: approval?.prompt === undefined ? undefined : { ...approval, prompt: UNQUOTED },
      planning: planning === undefined ? undefined : unquotedPlanning(planning),
      fanOut: fanOut === undefined ? undefined : { ...fanOut, do: withoutSentences(fanOut.do) },
    }),
  };
}

function unquotedPlanning(planning: PlanningSpec): PlanningSpec {
  const goal = defined({ goal: planning.goal === undefined ? undefined : UNQUOTED });
  return { ...planning, ...goal, constraints: planning.constraints.map(() => UNQUOTED) };
}
