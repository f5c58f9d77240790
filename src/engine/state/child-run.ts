// Child runs: a step that calls a template starts one, whose id follows from the attempt.
import { defined } from '../../base/json.ts';
import { idFrom } from '../../base/short-id.ts';
import type { ChildTemplate } from '../../template/template.ts';
import type { GateView, RunView } from './run-view.ts';
import { type Step, stepOf } from './state.ts';

/** The template behind a capability; undefined if the capability is no template. */
export function childTemplateOf({ template }: RunView, capability: string): ChildTemplate | undefined {
  const { templates = {} } = template;
  return Object.hasOwn(templates, capability) ? templates[capability] : undefined;
}

/** The `child` of an event: the run that a call starts; absent if the capability is no template. */
export function childFor(
  state: RunView,
  { id }: Step,
  capability: string,
  attempt: number,
  call?: number,
): { readonly child?: string } {
  const isChild = childTemplateOf(state, capability) !== undefined;
  return defined({ child: isChild ? childId(state, id, attempt, call) : undefined });
}

function childId({ id: run }: RunView, step: string, attempt: number, call: number | undefined): string {
  return idFrom(`${run}/${step}#${attempt}${call === undefined ? '' : `.${call}`}`);
}

/** The child run that is under way for a step. A fork does not own the children of attempts that it copied. */
export function childUnderWay(state: RunView, step: Step): string | undefined {
  const { child, attempt, calls, status } = step;
  if (child === undefined || (status !== 'running' && childGateOf(state, step) === undefined)) return undefined;
  const call = calls.at(-1)?.outcome === undefined && calls.length > 0 ? calls.length : undefined;
  return child === childId(state, step.id, attempt, call) ? child : undefined;
}

/** The gate at which a step waits for its child run. */
export function childGateOf({ gates }: RunView, { people }: Step): GateView | undefined {
  const gate = people?.gate === undefined ? undefined : gates.get(people.gate);
  return gate?.kind === 'child' ? gate : undefined;
}

/** Steps whose child runs are running or waiting. */
export function stepsWithChild(state: RunView): readonly Step[] {
  if (state.template.templates === undefined) return [];
  const waiting = [...state.openGates].flatMap((id) => {
    const gate = state.gates.get(id);
    return gate?.kind === 'child' ? [gate.step] : [];
  });
  return [...new Set([...state.running, ...waiting])]
    .map((id) => stepOf(state, id))
    .filter(({ child }) => child !== undefined);
}
