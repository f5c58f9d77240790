// The bound: the most that any run of a template can use, computed from the template alone.
import type { Limited } from '../budget/amount.ts';
import { limitKey } from '../budget/limits.ts';
import { mostOfPlanned } from '../planning/checks/size.ts';
import { CLARIFICATIONS, type StepSpec } from '../template/step-spec.ts';
import type { Template } from '../template/template.ts';

export interface BoundRow {
  /** A resource of an amount, or `attempts`, `planning_depth`, `time` (milliseconds). */
  readonly resource: string;
  /** Undefined: nothing bounds it. */
  readonly bound: number | undefined;
  /** What holds it there: a budget key, or the template itself. */
  readonly binds: string;
  readonly note?: string;
}

export function boundOf(template: Template): readonly BoundRow[] {
  const { budget, steps } = template;
  const planners = steps.filter((spec) => spec.type === 'planning');
  const phases = phasesBound(template, planners);
  const grown = phases.bound * widest(template, planners);
  const authored = steps.length + widthOf(steps);
  const all = capped(
    template,
    'steps',
    authored + grown,
    `${authored} authored + ${phases.bound} phases × their fragments`,
  );
  // What an authored fan-out does not become is left for fragments.
  const grafted = Math.max(0, (all.bound ?? authored) - steps.length);
  const calls = callsBound(template, grafted);
  return [
    phases,
    all,
    {
      resource: 'attempts',
      bound: calls + plannerAttempts(template, phases.bound),
      binds: 'the template',
      note: 'retries, questions to people and redeliveries after a crash included',
    },
    capped(template, 'tool_calls', calls, 'every attempt of every step'),
    capped(template, 'llm_calls', 0, 'no step or planner asks a model'),
    capped(template, 'cost_usd', 0, 'nothing here has a price'),
    { resource: 'replans', bound: 0, binds: 'the template', note: 'no step asks for one' },
    {
      resource: 'planning_depth',
      bound: planners.length === 0 ? 0 : budget.planningDepth,
      binds: 'budget.max_planning_depth',
    },
    { resource: 'time', bound: budget.wallClock, binds: 'budget.max_wall_clock_time' },
  ];
}

/** Without nesting, each authored planning step plans once; nested ones only end at the limit. */
function phasesBound({ budget }: Template, planners: readonly StepSpec[]): BoundRow & { readonly bound: number } {
  const nests = planners.length > 0 && budget.planningDepth > 1;
  const limit = budget.limit.phases;
  if (!nests || limit === undefined || limit <= planners.length) {
    return {
      resource: 'phases',
      bound: planners.length,
      binds: 'the template',
      note: 'one for each authored planning step',
    };
  }
  return { resource: 'phases', bound: limit, binds: `budget.${limitKey('phases')}`, note: 'planning steps may nest' };
}

function widest({ budget }: Template, planners: readonly StepSpec[]): number {
  return Math.max(budget.fragmentSteps, ...planners.map(({ budget: own }) => own?.fragmentSteps ?? 0));
}

/** The steps that authored fan-outs may become. */
function widthOf(steps: readonly StepSpec[]): number {
  return steps.reduce((sum, { fanOut }) => sum + (fanOut?.maxWidth ?? 0), 0);
}

function callsBound(template: Template, grafted: number): number {
  const authored = template.steps.reduce((sum, step) => sum + callsOf(template, step), 0);
  const asks = Object.values(template.capabilities).some((each) => each.asks === true);
  const attempts = mostOfPlanned.attempts + (asks ? mostOfPlanned.questions : 0);
  return authored + grafted * attempts * mostOfPlanned.deliveries;
}

/** What asks a person is called again with the answer. */
function callsOf(template: Template, step: StepSpec): number {
  const { capability, retry, maxDeliveries, fanOut, maxClarifications = CLARIFICATIONS } = step;
  if (fanOut !== undefined) return fanOut.maxWidth * callsOf(template, fanOut.do);
  if (capability === undefined) return 0;
  const questions = template.capabilities[capability]?.asks === true ? maxClarifications : 0;
  return (retry.maxAttempts + questions) * maxDeliveries;
}

/** A planner may ask once to see more, beside its proposals. */
const TO_SEE_MORE = 1;

/** An authored planning step may propose and ask as often as it says, a nested one as often as review lets it. */
function plannerAttempts({ steps }: Template, phases: number): number {
  const authored = steps.filter(({ type }) => type === 'planning');
  const attempts = authored.reduce(
    (sum, { planning, maxDeliveries, maxClarifications = CLARIFICATIONS }) =>
      sum + ((planning?.maxAttempts ?? 0) + maxClarifications + TO_SEE_MORE) * maxDeliveries,
    0,
  );
  const nested = Math.max(0, phases - authored.length);
  return (
    attempts + nested * (mostOfPlanned.attempts + mostOfPlanned.questions + TO_SEE_MORE) * mostOfPlanned.deliveries
  );
}

/** The smaller of what the template can ask for and what its budget allows. */
function capped({ budget }: Template, resource: Limited, worst: number, note: string): BoundRow {
  const limit = budget.limit[resource];
  if (limit !== undefined && limit < worst)
    return { resource, bound: limit, binds: `budget.${limitKey(resource)}`, note };
  return { resource, bound: worst, binds: 'the template', note };
}
