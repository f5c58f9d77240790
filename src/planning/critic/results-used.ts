// Questions of the critic about a step: whose results it uses, whether it has a result, whether it gathers results.
import { isMutating } from '../../contract/declaration.ts';
import { referencesOf } from '../../template/step-references.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Frame } from '../frame.ts';

/** The steps whose results a step uses; `all` when it takes every earlier result or all converged ones. */
export function resultsUsedBy(step: StepSpec): { readonly names: ReadonlySet<string>; readonly all: boolean } {
  const names = new Set<string>();
  let all = step.fanOut !== undefined && resultsUsedBy(step.fanOut.do).all;
  for (const { root, path } of referencesOf(step).references) {
    const [name] = path;
    if (root === 'convergence' || root === 'summary') all = true;
    if (root !== 'results' && root !== 'depends') continue;
    if (name === undefined) all = true;
    else names.add(name);
  }
  return { names, all };
}

/** Tells whether a step's result is worth gathering; results of mutating calls are not. */
export function bringsResult({ type, capability, agent, fanOut }: StepSpec, frame: Frame): boolean {
  if (type !== 'task' && type !== 'fan_out') return false;
  if (fanOut !== undefined) return bringsResult(fanOut.do, frame);
  return agent !== undefined || (capability !== undefined && !changesSomething(capability, frame));
}

function changesSomething(capability: string, { declarations }: Frame): boolean {
  const declaration = Object.hasOwn(declarations, capability) ? declarations[capability] : undefined;
  return declaration !== undefined && isMutating(declaration);
}

/** Tells whether a step should use its dependencies' results; gates and reviews may only wait. */
export function isMeantToUse({ type, input }: StepSpec): boolean {
  if (type === 'synthesis_gate') return input !== undefined;
  return type === 'task' || type === 'compute' || type === 'fan_out';
}

/** Tells whether a step combines several results, so that later steps need not read them all. */
export function gathersResults(step: StepSpec): boolean {
  const { type, agent, capability, dependencies } = step;
  if (type === 'synthesis_gate' || type === 'planning') return true;
  // An agent is shown the results of all its dependencies, and a convergence target those of all branches.
  if (agent !== undefined) return type === 'deferred' || dependencies.length > 1;
  const { names, all } = resultsUsedBy(step);
  if (type === 'deferred') return capability !== undefined && (all || names.size > 1);
  return all || names.size > 1;
}

/** Tells whether a convergence target gathers the plan's final results, so that no other gate is needed. */
export function gathersAllResults(target: StepSpec): boolean {
  const { type, capability, agent } = target;
  const keepsAll = type === 'deferred' && capability === undefined && agent === undefined;
  return keepsAll || gathersResults(target) || resultsUsedBy(target).all;
}
