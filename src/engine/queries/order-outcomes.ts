// Tells for each order of a mission's goal what was done about it, and by which step.
import { defined } from '../../base/json.ts';
import { isGranted } from '../../contract/grant.ts';
import { wordsOfName } from '../../goals/match/terms.ts';
import { toolsOf } from '../../goals/match/tool.ts';
import { mayChange } from '../../goals/plan/agent-reach.ts';
import { type PlannedWork, servingSteps } from '../../goals/plan/serving-steps.ts';
import { ordersIn } from '../../goals/split/decompose.ts';
import { signalsIn } from '../../goals/split/signals.ts';
import { agentIn } from '../../template/keys/agent.ts';
import { MISSION } from '../../template/mission.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { OrderOutcome } from '../record/run-events.schema.ts';
import type { RunState, Step } from '../state/state.ts';
import { textsIn, whyWithoutEffect } from './order-effect.ts';

/** Undefined for a run that is no mission, or whose goal orders nothing. `goal`: with references filled in. */
export function orderOutcomes(state: RunState, goal: string): readonly OrderOutcome[] | undefined {
  if (state.template.name !== MISSION || goal.trim() === '') return undefined;
  const served = servedByIntents(state) ?? servedByWords(state, goal);
  const isConditional = signalsIn({ text: goal, accounted: new Set() }).some(({ kind }) => kind === 'condition');
  return served.length === 0
    ? undefined
    : served.map((each, index) => outcomeOf(state, each, { isConditional, follows: index > 0 }));
}

interface ServedOrder {
  readonly says: string;
  readonly steps: readonly Step[];
}

/** The tasks of a goal that its words split; a model's split may leave orders out, so it does not count. */
function servedByIntents(state: RunState): readonly ServedOrder[] | undefined {
  for (const { planner, intents, steps } of state.phases.values()) {
    if (planner.includes('/') || intents?.strategy !== 'pattern') continue;
    const own = steps.flatMap((id) => state.steps.get(id) ?? []);
    return intents.intents.map(({ says, steps: names }) => ({
      says,
      steps: unique(own.filter(({ spec }) => names.includes(spec.name)).flatMap((step) => workOf(state, step))),
    }));
  }
  return undefined;
}

function unique(steps: readonly Step[]): readonly Step[] {
  return [...new Set(steps)];
}

/** The steps that do the work of a step: those of its phase, and those of the repair that took it up. */
function workOf(state: RunState, step: Step, seen: ReadonlySet<Step> = new Set()): readonly Step[] {
  if (seen.has(step)) return [];
  const { id, spec, takenUp, root, status } = step;
  const further = new Set([...seen, step]);
  const planned = [id, ...(takenUp === undefined ? [] : [takenUp]), ...(status === 'superseded' && root ? [root] : [])];
  const below = planned
    .flatMap((planner) => state.phases.get(planner)?.steps ?? [])
    .flatMap((each) => state.steps.get(each) ?? [])
    .flatMap((each) => workOf(state, each, further));
  return isWork(spec) ? [step, ...below] : below;
}

/** Planning, and gathering of results, do none of the work that a goal orders. */
function isWork({ type }: StepSpec): boolean {
  return type !== 'planning' && type !== 'deferred';
}

function servedByWords(state: RunState, goal: string): readonly ServedOrder[] {
  const capabilities = Object.values(state.template.capabilities);
  const read = ordersIn(goal, { capabilities });
  const orders = read.length === 0 ? [{ says: goal.trim(), kind: 'processing' }] : read;
  const steps = [...state.steps.values()].filter(
    ({ provenance, item, status, spec }) =>
      provenance !== undefined && item === undefined && status !== 'superseded' && isWork(spec),
  );
  const asked = [...state.gates.values()].filter(({ kind }) => kind === 'clarification').map(({ step }) => step);
  const planners = [...new Set(asked)].flatMap((id) => state.steps.get(id) ?? []);
  const serving = servingSteps(orders, [
    ...steps.map((step) => plannedWorkOf(state, step)),
    ...planners.map(({ id }): PlannedWork => ({ id, text: '', reach: 'person', destroys: false })),
  ]);
  return orders.map(({ says }, index) => ({
    says,
    steps: (serving[index] ?? []).flatMap((id) => state.steps.get(id) ?? []),
  }));
}

function plannedWorkOf(state: RunState, { id, spec }: Step): PlannedWork {
  const { capabilities, agents } = state.template;
  const { capability: called, agent, type, description = '', input = null, fanOut } = spec.fanOut?.do ?? spec;
  const declaration = called !== undefined && Object.hasOwn(capabilities, called) ? capabilities[called] : undefined;
  const [tool] = declaration === undefined ? [] : toolsOf([declaration]);
  const globs = agent === undefined ? [] : agentIn(agents, agent).tools;
  const own = globs.length === 0 ? [] : Object.values(capabilities).filter(({ name }) => isGranted(name, globs, []));
  const changes = declaration?.runs !== undefined || [...(declaration ? [declaration] : []), ...own].some(mayChange);
  const reads = declaration !== undefined || own.length > 0;
  const words = [
    spec.name,
    called ?? '',
    agent?.name ?? '',
    ...textsIn(input),
    ...(fanOut === undefined ? [] : textsIn(fanOut.forEach)),
  ].map((each) => wordsOfName(each).join(' '));
  return {
    id,
    text: [spec.description ?? '', description, declaration?.description ?? '', ...words].join(' '),
    reach: type === 'human_review' ? 'person' : changes ? 'change' : reads ? 'read' : 'nothing',
    destroys: tool?.destroys === true || declaration?.effects.includes('delete') === true,
  };
}

interface Place {
  /** The goal has a condition. */
  readonly isConditional: boolean;
  /** An order stands before it. */
  readonly follows: boolean;
}

function outcomeOf(state: RunState, { says, steps }: ServedOrder, { isConditional, follows }: Place): OrderOutcome {
  const called = calledIn(state, says);
  const idle = new Map(steps.map((step) => [step, whyWithoutEffect(state, step, says, follows)]));
  const did = steps.filter(
    (step) =>
      (step.status === 'completed' || step.status === 'resolved') &&
      !isWithoutTool(state, step.spec, called) &&
      idle.get(step) === undefined,
  );
  const isLeftOut =
    steps.length > 0 && steps.every(({ skipped }) => skipped === 'when_false' || skipped === 'not_chosen');
  const outcome = did.length > 0 ? 'done' : isConditional && isLeftOut ? 'not_needed' : 'not_done';
  return {
    says,
    outcome,
    steps: (did.length > 0 ? did : steps).map(({ id, spec, status, skipped }) => ({
      step: id,
      ...defined({ by: performerOf(spec) }),
      status: skipped ?? status,
    })),
    ...defined({ why: outcome === 'not_done' ? whyNot(state, steps, [...idle.values()]) : undefined }),
  };
}

/** The capability that an order calls by its name: "use csv.profile on orders.csv". */
function calledIn({ template }: RunState, says: string): string | undefined {
  const [, name] = /^(?:use|run|call|invoke|execute)\s+[`"']?([\w.-]*\w)/i.exec(says.trim()) ?? [];
  return name !== undefined && Object.hasOwn(template.capabilities, name) ? name : undefined;
}

/** An agent that cannot call the capability has not done the order, whatever it says. */
function isWithoutTool({ template }: RunState, { agent, capability, fanOut }: StepSpec, called?: string): boolean {
  const by = fanOut?.do.agent ?? agent;
  if (called === undefined || by === undefined || capability !== undefined) return false;
  const { tools } = agentIn(template.agents, by);
  return tools.length === 0 || !isGranted(called, tools, []);
}

function performerOf({ capability, agent, type, fanOut }: StepSpec): string | undefined {
  if (fanOut !== undefined) return performerOf(fanOut.do);
  if (type === 'human_review') return 'a person';
  return capability ?? (agent === undefined ? undefined : `agent ${agent.name}`);
}

function whyNot(state: RunState, steps: readonly Step[], idle: readonly (string | undefined)[]): string {
  const failed = steps.find(({ failure }) => failure !== undefined);
  if (failed?.failure !== undefined) return `${failed.failure.code}: ${failed.failure.message}`;
  const withoutEffect = idle.find((each) => each !== undefined);
  if (withoutEffect !== undefined) return withoutEffect;
  const [skipped] = steps;
  if (skipped === undefined) return state.phases.size === 0 ? 'there was no plan' : 'no step of the plan does it';
  if (skipped.skipped === 'when_false') return 'its condition did not hold, or a person said no';
  return `its step ended as ${skipped.skipped ?? skipped.status}`;
}
