// The effects that a run of a template may have: the effects of all capabilities that it may call.
import { type Effect, effects } from '../contract/declaration.ts';
import { isGranted } from '../contract/grant.ts';
import { agentIn } from './keys/agent.ts';
import { plannerModelOf } from './model-use.ts';
import type { StepSpec } from './step-spec.ts';
import type { Template } from './template.ts';

/** Excludes effects that the template's policy denies. A template without any other effect has the effect `compute`. */
export function effectsOf(template: Template): readonly Effect[] {
  const { steps, repair, capabilities } = template;
  const all = [...steps, ...(repair === undefined ? [] : [repair])].flatMap(withItem);
  // Planned steps may call any granted capability.
  const isPlanned = all.some(({ planning }) => planning !== undefined);
  const called = new Set(isPlanned ? Object.keys(capabilities) : all.flatMap((step) => callsOf(template, step)));
  const has = new Set<Effect>([...called].flatMap((name) => capabilities[name]?.effects ?? []));
  if (all.some(asksModel)) has.add('llm');
  // The effects of discovered capabilities are unknown before the run.
  if (isPlanned && template.missing?.some((way) => way === 'discover' || way === 'ask')) has.add('write');
  for (const denied of template.effects?.denied ?? []) has.delete(denied);
  return has.size === 0 ? ['compute'] : effects.filter((effect) => has.has(effect));
}

function withItem(step: StepSpec): readonly StepSpec[] {
  return step.fanOut === undefined ? [step] : [step, step.fanOut.do];
}

function callsOf({ agents, capabilities }: Template, { capability, agent }: StepSpec): readonly string[] {
  const tools = agent === undefined ? [] : agentIn(agents, agent).tools;
  const offered = tools.length === 0 ? [] : Object.keys(capabilities).filter((name) => isGranted(name, tools, []));
  return [...(capability === undefined ? [] : [capability]), ...offered];
}

function asksModel({ agent, judge, planning }: StepSpec): boolean {
  return agent !== undefined || judge !== undefined || plannerModelOf(planning?.planner) !== undefined;
}
