// Tells why a completed step has not done an order that changes something: the evidence is its calls, not what it says.
import { isJsonObject, type Json } from '../../base/json.ts';
import { isGranted } from '../../contract/grant.ts';
import { mayChange } from '../../goals/plan/agent-reach.ts';
import { changesAnything, filesOf } from '../../goals/plan/tool-need.ts';
import { agentIn } from '../../template/keys/agent.ts';
import type { RunState, Step } from '../state/state.ts';

/** `follows`: an order stands before it in the goal. Undefined where nothing speaks against the step. */
export function whyWithoutEffect(state: RunState, step: Step, says: string, follows: boolean): string | undefined {
  if (step.status !== 'completed') return undefined;
  const { agent, capability } = step.spec.fanOut?.do ?? step.spec;
  const called = capability === undefined ? undefined : state.template.capabilities[capability];
  if (called !== undefined && mayChange(called)) {
    return (says.includes(called.name) ? undefined : whyElsewhere(step, says, called.description)) ?? whyDenied(step);
  }
  if (agent === undefined || !changesAnything(says, follows)) return undefined;
  const { tools } = agentIn(state.template.agents, agent);
  const able = Object.values(state.template.capabilities).filter(
    (each) => isGranted(each.name, tools, []) && (each.runs !== undefined || mayChange(each)),
  );
  const names = new Set(tools.length === 0 ? [] : able.map(({ name }) => name));
  const made = step.spec.fanOut === undefined ? [step] : itemsOf(state, step);
  // A step that was adopted from another run made its calls there.
  if (names.size === 0 || made.some((each) => each.attempt === 0 || hasCalled(each, names))) return undefined;
  return `agent "${agent.name}" called no tool that changes anything with success`;
}

function itemsOf(state: RunState, { expanded = [] }: Step): readonly Step[] {
  return expanded.flatMap((id) => state.steps.get(id) ?? []);
}

function hasCalled({ calls, leftCalls }: Step, names: ReadonlySet<string>): boolean {
  return [...calls, ...leftCalls].some(
    ({ kind, name, outcome }) =>
      kind === 'capability' && names.has(name) && outcome !== undefined && 'value' in outcome,
  );
}

/** A call that names the file neither in its input nor in its result, although the order names it. */
function whyElsewhere({ spec, result }: Step, says: string, description = ''): string | undefined {
  const input = (spec.fanOut?.do ?? spec).input ?? null;
  const wanted = filesOf(says);
  const answer = inlineIn(result);
  if (wanted.length === 0 || answer === undefined || hasReference(input)) return undefined;
  const attached = wanted.some((file) => isTarget(file, says)) ? [] : (spec.attachments ?? []).map(({ ref }) => ref);
  const texts = [...textsIn(input), ...textsIn(answer), ...attached, description];
  const names = wanted.map(baseOf);
  if (texts.some((text) => names.some((name) => text.toLowerCase().includes(name)))) return undefined;
  const others = textsIn(input).filter((text) => /^[^\s:]+\.\p{L}[\p{L}\d]{0,7}$/u.test(text));
  return `the call is ${others.length === 0 ? '' : `about ${others.join(', ')}, `}not about ${wanted.join(', ')}`;
}

/** Something is put into the file, so that it is no evidence that the file came along as an attachment. */
function isTarget(file: string, says: string): boolean {
  return /(?:^|\s)(?:in)?to (?:the )?(?:file )?["'`]?$/i.test(says.slice(0, says.indexOf(file)));
}

function inlineIn(result: Step['result']): Json | undefined {
  return result !== undefined && 'value' in result ? result.value : undefined;
}

/** Fields that a result sets to false when the call changed nothing. */
const deeds = ['deleted', 'removed', 'sent', 'success', 'ok'];

function whyDenied({ result }: Step): string | undefined {
  const value = inlineIn(result);
  const denied = isJsonObject(value) ? deeds.find((each) => value[each] === false) : undefined;
  return denied === undefined ? undefined : `the call changed nothing: its result says ${denied}: false`;
}

function baseOf(path: string): string {
  return (path.split(/[\\/]/).at(-1) ?? path).toLowerCase();
}

function hasReference(value: Json): boolean {
  return textsIn(value).some((text) => text.includes('{{')) || JSON.stringify(value).includes('"$lisp"');
}

export function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap((each: Json) => textsIn(each));
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
