// Collects the contents of a planning step's packet: problem, feedback, budget, and the phases before it.
import { defined, type Json } from '../../base/json.ts';
import { roughly } from '../../base/quantity.ts';
import { type LimitedResource, limitable } from '../../budget/amount.ts';
import { dollarsOf } from '../../budget/display-figures.ts';
import type { PacketRequest, StepRecord } from '../../context/packet.ts';
import type { Clarification } from '../../planning/brief.ts';
import type { Frame } from '../../planning/frame.ts';
import type { RepairBrief } from '../../planning/repair-brief.ts';
import { resultOf } from '../../template/check/producers.ts';
import { DEFAULT_VISIBILITY, namedSteps, type VisibilityLimits, visiblePhases } from '../queries/visible-phases.ts';
import { valueIn } from '../record/stored-value.ts';
import type { Batch } from '../state/batch.ts';
import { type RunState, type Step, stepOf } from '../state/state.ts';
import { outputOf } from '../values/check-result.ts';
import { planningOf } from './frame-of.ts';

/** The facts about a planning step that are known before its packet is made. */
export interface PlanningFacts {
  readonly frame: Frame;
  readonly goal: string | undefined;
  readonly repair: RepairBrief | undefined;
}

export function packetRequest(
  { state, values, countTokens }: Batch,
  step: Step,
  { frame, goal, repair }: PlanningFacts,
  most: VisibilityLimits = DEFAULT_VISIBILITY,
): PacketRequest {
  const { template } = state;
  const planning = planningOf(step);
  const settings = { ...template.context, ...step.spec.context };
  const feedback = feedbackFor(step, repair);
  const phases = visiblePhases(state, step, most);
  const named = namedSteps(state, step, new Set(phases.flatMap(({ steps }) => steps)));
  const input = valueIn(state.input, values) ?? null;
  // A planner that splits the goal by its words needs all of it, so a long goal does not count against the limit.
  const room = plansByWords(step) ? countTokens(JSON.stringify({ goal, input })) : 0;
  return {
    strategy: settings.strategy,
    maxTokens: settings.maxTokens + room,
    countTokens,
    problem: {
      template: template.name,
      ...defined({ description: template.description, goal }),
      input,
      constraints: [...template.constraints, ...planning.constraints],
    },
    ...defined({ feedback }),
    clarifications: clarificationsOf(step, values).map((each) => ({ ...each })),
    budget: budgetShown(frame),
    target: targetShown(state, step),
    needs: planning.needs ?? [],
    asked: step.needs ?? [],
    named: named.map((each) => recordOf(state, each, values)),
    phases: phases.map(({ id, rationale, steps }) => ({
      id,
      ...defined({ rationale }),
      steps: steps.map((each) => recordOf(state, each, values)),
    })),
  };
}

function plansByWords(step: Step): boolean {
  const kind = planningOf(step).planner?.kind;
  return kind === 'pattern' || kind === 'hybrid';
}

/** The answers of people to questions of the planner. */
export function clarificationsOf({ people }: Step, values: Batch['values']): readonly Clarification[] {
  const answers = people?.answers ?? [];
  return answers.map(({ question, answer }) => ({ question, answer: valueIn(answer, values) ?? null }));
}

/** The failures to repair, and the issues of the last proposal with the codes and paths that a planner can act on. */
function feedbackFor({ issues, failure, attempt }: Step, repair: RepairBrief | undefined): Json | undefined {
  if (issues === undefined && failure === undefined && repair === undefined) return undefined;
  return {
    attempt,
    ...(repair === undefined ? {} : JSON.parse(JSON.stringify(repair))),
    ...defined({ failure: failure === undefined ? undefined : { code: failure.code, message: failure.message } }),
    issues: (issues ?? []).map(({ code, message, path, hint }) => ({
      code,
      message,
      path: [...path],
      ...defined({ hint }),
    })),
  };
}

function budgetShown({ bounds, depthLeft, converge, available }: Frame): Json {
  return {
    max_fragment_steps: Math.min(bounds.fragmentSteps, available.steps ?? bounds.fragmentSteps),
    max_fragment_depth: bounds.fragmentDepth,
    max_fan_out: bounds.fanOut,
    max_planning_depth: depthLeft,
    remaining: Object.fromEntries(
      limitable.flatMap((of) => (available[of] === undefined ? [] : [[of, amountShown(of, available[of])] as const])),
    ),
    converge,
  };
}

/** An amount in the unit of its name; money and tokens are rounded. */
function amountShown(of: LimitedResource, amount: number): number {
  if (of === 'cost_usd') return dollarsOf(roughly(amount));
  return of === 'tokens' ? roughly(amount) : amount;
}

function targetShown(state: RunState, step: Step): Json {
  if (step.target === undefined) return null;
  const { id, spec } = stepOf(state, step.target);
  return { id, ...defined({ description: spec.description }) };
}

/** A step's outcome, as a packet may show it. */
export function recordOf(state: RunState, step: Step, values: Batch['values']): StepRecord {
  const { id, spec, attempt, status, failure, root, skipped, tries } = step;
  const result = step.result === undefined ? undefined : valueIn(step.result, values);
  const schema = resultOf(spec, state.template.capabilities) ?? outputOf(state, step);
  const context = spec.context;
  return {
    id,
    name: spec.name,
    attempt,
    ...defined({ capability: spec.capability }),
    status: skipped === undefined ? status : `skipped(${skipped})`,
    ...defined({ result }),
    ...(step.result !== undefined && 'digest' in step.result
      ? { digest: step.result.digest, bytes: step.result.bytes }
      : {}),
    ...defined({ schema }),
    ...(failure === undefined
      ? {}
      : {
          failure: { code: failure.code, message: failure.message, ...defined({ rootCause: root }) },
        }),
    ...(tries.length === 0 ? {} : { tries: tries.map(({ output: _, ...each }) => each) }),
    ...defined({
      keep: context?.keep === undefined ? undefined : context.keep,
      elide: context?.elide === undefined ? undefined : context.elide,
      sample: context?.sample === undefined ? undefined : context.sample,
    }),
  };
}
