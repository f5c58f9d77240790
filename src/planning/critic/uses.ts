// What the critic asks of steps: whose results they use, whether they work, whether they bring results together.
import { isMutating } from '../../contract/declaration.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import { usesOf } from '../../template/uses.ts';
import type { Frame } from '../frame.ts';

/** The steps whose results a step uses by name; `all`: it takes whatever came before it, or came together at it. */
export function resultsUsedBy(step: StepSpec): { readonly names: ReadonlySet<string>; readonly all: boolean } {
  const names = new Set<string>();
  let all = step.fanOut !== undefined && resultsUsedBy(step.fanOut.do).all;
  for (const { root, path } of usesOf(step).uses) {
    const [name] = path;
    if (root === 'convergence' || root === 'summary') all = true;
    if (root !== 'results' && root !== 'depends') continue;
    if (name === undefined) all = true;
    else names.add(name);
  }
  return { names, all };
}

/** Calls something that answers with a result: what only writes down has none that would be brought together. */
export function bringsResult({ type, capability, agent, fanOut }: StepSpec, frame: Frame): boolean {
  if (type !== 'task' && type !== 'fan_out') return false;
  if (fanOut !== undefined) return bringsResult(fanOut.do, frame);
  return agent !== undefined || (capability !== undefined && !changesSomething(capability, frame));
}

function changesSomething(capability: string, { declarations }: Frame): boolean {
  const declaration = Object.hasOwn(declarations, capability) ? declarations[capability] : undefined;
  return declaration !== undefined && isMutating(declaration);
}

/** Where things only come together, or a person is asked, waiting is all that is meant. */
export function isMeantToUse({ type, input }: StepSpec): boolean {
  if (type === 'synthesis_gate') return input !== undefined;
  return type === 'task' || type === 'compute' || type === 'fan_out';
}

/** Takes several results together so that less is left of them: what comes after it need not read them all. */
export function gathers(step: StepSpec): boolean {
  const { type, agent, capability } = step;
  if (type === 'synthesis_gate' || type === 'planning') return true;
  if (agent !== undefined) return false;
  const { names, all } = resultsUsedBy(step);
  if (type === 'deferred') return capability !== undefined && (all || names.size > 1);
  return all || names.size > 1;
}

/** Whether a convergence target takes together what a plan ends with: it is then the gate that the plan needs. */
export function takesTogether(target: StepSpec): boolean {
  const { type, capability, agent } = target;
  const keepsAll = type === 'deferred' && capability === undefined && agent === undefined;
  return keepsAll || gathers(target) || resultsUsedBy(target).all;
}
