// The least use of a run in which nothing fails, whatever its plans, lists and models decide.
import { type Amount, nothing, plus } from '../../budget/amount.ts';
import { priceOfCall } from '../../planning/estimate.ts';
import { agentIn } from '../../template/keys/agent.ts';
import { criticModelOf, modelNamed } from '../../template/model-use.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Template } from '../../template/template.ts';
import { noFailures } from './failure-assumption.ts';
import { knownPlan, unsureSteps } from './known-plans.ts';
import { knownWidth, type MostUse, repeated, sumOfUses } from './most-use.ts';

export interface LeastUse extends MostUse {
  readonly phases: number;
  /** The steps of fan-outs and plans. */
  readonly steps: number;
  readonly planningDepth: number;
}

export function leastOf(template: Template): LeastUse {
  const sure = sureSteps(template.steps);
  const planners = sure.filter(({ type }) => type === 'planning');
  const plans = planners.map((step) => knownPlan(template, step, noFailures) ?? []);
  return {
    ...sumOfUses([...sure, ...plans.flatMap(sureSteps)].map((step) => leastOfStep(template, step))),
    phases: planners.length,
    steps: [sure, ...plans.map(sureSteps)].reduce((sum, steps) => sum + widthOf(steps), 0) + plans.flat().length,
    planningDepth: Math.min(1, planners.length),
  };
}

function sureSteps(steps: readonly StepSpec[]): readonly StepSpec[] {
  const unsure = unsureSteps(steps);
  return steps.filter(({ name }) => !unsure.has(name));
}

function widthOf(steps: readonly StepSpec[]): number {
  return steps.reduce((sum, { fanOut }) => sum + (fanOut === undefined ? 0 : (knownWidth(fanOut) ?? 0)), 0);
}

function leastOfStep(template: Template, step: StepSpec): MostUse {
  const { fanOut, planning, agent, capability, judge, gate } = step;
  if (fanOut !== undefined) {
    const { do: item } = fanOut;
    return repeated(leastOfStep(template, item), item.when === undefined ? (knownWidth(fanOut) ?? 0) : 0);
  }
  if (planning !== undefined) return { attempts: 1, bill: leastOfPlanner(template, step) };
  const judged = judge === undefined ? nothing : asking(template, judge.model);
  if (agent !== undefined)
    return { attempts: 1, bill: plus(asking(template, agentIn(template.agents, agent).model), judged) };
  return capability === undefined
    ? { attempts: gate === undefined ? 0 : 1, bill: nothing }
    : { attempts: 1, bill: plus(leastOfCall(template, capability), judged) };
}

/** One model call. Its tokens and cost are unknown, so they count as 0. */
function asking({ models }: Template, model: string | undefined): Amount {
  return modelNamed(models, model) === undefined ? nothing : { llm_calls: 1 };
}

function leastOfPlanner(template: Template, step: StepSpec): Amount {
  const planner = step.planning?.planner;
  const isKnown = knownPlan(template, step, noFailures) !== undefined;
  const criticised = isKnown && criticModelOf(template) !== undefined ? { llm_calls: 1 } : nothing;
  if (planner?.kind === 'capability') return plus(leastOfCall(template, planner.name), criticised);
  return planner?.kind === 'llm' ? plus(asking(template, planner.model), criticised) : criticised;
}

function leastOfCall({ capabilities, templates = {} }: Template, name: string): Amount {
  const child = Object.hasOwn(templates, name) ? templates[name] : undefined;
  if (child === undefined) return priceOfCall(name, capabilities);
  const { tokens = 0, ...least } = child.usual?.least ?? {};
  return plus({ tool_calls: 1 }, { ...least, ...(tokens === 0 ? {} : { tokens_in: tokens }) });
}
