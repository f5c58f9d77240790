// Tells why a completed step has not done an order that changes something: the evidence is its calls, not what it says.
import { isJsonObject, type Json } from '../../base/json.ts';
import { isGranted } from '../../contract/grant.ts';
import { mayChange } from '../../goals/plan/agent-reach.ts';
import { changesAnything, outputsOf } from '../../goals/plan/tool-need.ts';
import { agentIn } from '../../template/keys/agent.ts';
import type { RunState, Step } from '../state/state.ts';

/** `follows`: an order stands before it in the goal. Undefined where nothing speaks against the step. */
export function whyWithoutEffect(state: RunState, step: Step, says: string, follows: boolean): string | undefined {
  if (step.status !== 'completed' || !changesAnything(says, follows)) return undefined;
  const { agent, capability, input } = step.spec.fanOut?.do ?? step.spec;
  if (capability !== undefined) return whyElsewhere(input ?? null, says) ?? whyDenied(step);
  if (agent === undefined) return undefined;
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

/** A call whose files are all written out, and are others than the one that the order wants written. */
function whyElsewhere(input: Json, says: string): string | undefined {
  const wanted = outputsOf(says).map(baseOf);
  const texts = textsIn(input);
  if (wanted.length === 0 || texts.some((text) => text.includes('{{')) || hasExpression(input)) return undefined;
  const files = texts.filter((text) => /^[^\s:]+\.\p{L}[\p{L}\d]{0,7}$/u.test(text));
  if (files.length === 0 || texts.some((text) => wanted.some((name) => text.toLowerCase().includes(name)))) {
    return undefined;
  }
  return `the call is about ${files.join(', ')}, not ${outputsOf(says).join(', ')}`;
}

/** Fields that a result sets to false when the call changed nothing. */
const deeds = ['deleted', 'removed', 'sent', 'success', 'ok'];

function whyDenied({ result }: Step): string | undefined {
  const value = result !== undefined && 'value' in result ? result.value : undefined;
  const denied = isJsonObject(value) ? deeds.find((each) => value[each] === false) : undefined;
  return denied === undefined ? undefined : `the call changed nothing: its result says ${denied}: false`;
}

function baseOf(path: string): string {
  return (path.split(/[\\/]/).at(-1) ?? path).toLowerCase();
}

function hasExpression(value: Json): boolean {
  return isJsonObject(value) && Object.keys(value).some((key) => key.startsWith('$'));
}

export function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap((each: Json) => textsIn(each));
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
