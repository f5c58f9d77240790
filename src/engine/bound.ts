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
  const replans = replansBound(template, planners);
  const repairs = replans.bound ?? Number.POSITIVE_INFINITY;
  const grown = (phases.bound + repairs) * widest(template, planners) + repairs;
  const authored = steps.length + widthOf(steps);
  const repaired = repairs === 0 ? '' : ` and ${repairs} repairs`;
  const all = capped(
    template,
    'steps',
    authored + grown,
    `${authored} authored + ${phases.bound} phases${repaired} × their fragments`,
  );
  // What an authored fan-out does not become is left for fragments.
  const grafted = Math.max(0, Math.min(grown, (all.bound ?? Number.POSITIVE_INFINITY) - steps.length));
  const asked = plannerAttempts(template, phases.bound, repairs);
  const calls = callsBound(template, grafted);
  return [
    phases,
    all,
    {
      resource: 'attempts',
      ...bounded(calls + asked),
      note: 'retries, questions to people and redeliveries after a crash included',
    },
    capped(template, 'tool_calls', calls + (planners.some(callsPlanner) ? asked : 0), 'every attempt of every step'),
    capped(template, 'llm_calls', 0, 'no step or planner asks a model'),
    capped(template, 'cost_usd', 0, 'nothing here has a price'),
    replans,
    {
      resource: 'planning_depth',
      bound: planners.length === 0 ? 0 : budget.planningDepth,
      binds: 'budget.max_planning_depth',
    },
    { resource: 'time', bound: budget.wallClock, binds: 'budget.max_wall_clock_time' },
  ];
}

function callsPlanner({ planning }: StepSpec): boolean {
  return planning?.planner?.kind === 'capability';
}

/** Every phase may be repaired, since any plan may ask for it; authored steps only where the template says by whom. */
function replansBound({ budget, repair, steps }: Template, planners: readonly StepSpec[]): BoundRow {
  const asks = ({ onFailure, onVerificationFailure }: StepSpec) =>
    onFailure === 'replan' || onVerificationFailure === 'replan';
  if (planners.length === 0 && (repair === undefined || !steps.some(asks))) {
    return { resource: 'replans', bound: 0, binds: 'the template', note: 'no step asks for one' };
  }
  const bound = budget.limit.replans;
  const note = 'a plan that fails may be repaired';
  return { resource: 'replans', bound, binds: bound === undefined ? 'nothing' : `budget.${limitKey('replans')}`, note };
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

/** An authored planning step may propose and ask as often as it says, a nested one as often as review lets it, a repair as often as what it repairs. */
function plannerAttempts({ steps, repair }: Template, phases: number, repairs: number): number {
  const authored = steps.filter(({ type }) => type === 'planning');
  const own = authored.map(({ planning, maxDeliveries, maxClarifications = CLARIFICATIONS }) =>
    tries(planning?.maxAttempts ?? 0, maxClarifications, maxDeliveries),
  );
  const nested = tries(mostOfPlanned.attempts, mostOfPlanned.questions, mostOfPlanned.deliveries);
  const ofTemplate = tries(repair?.maxAttempts ?? 0, CLARIFICATIONS, mostOfPlanned.deliveries);
  const repairing = repairs === 0 ? 0 : repairs * Math.max(nested, ofTemplate, ...own);
  return own.reduce((sum, each) => sum + each, 0) + Math.max(0, phases - authored.length) * nested + repairing;
}

function tries(proposals: number, questions: number, deliveries: number): number {
  return (proposals + questions + TO_SEE_MORE) * deliveries;
}

/** The smaller of what the template can ask for and what its budget allows. */
function capped({ budget }: Template, resource: Limited, worst: number, note: string): BoundRow {
  const limit = budget.limit[resource];
  if (limit !== undefined && limit < worst)
    return { resource, bound: limit, binds: `budget.${limitKey(resource)}`, note };
  return { resource, ...bounded(worst), note };
}

function bounded(worst: number): Pick<BoundRow, 'bound' | 'binds'> {
  return Number.isFinite(worst) ? { bound: worst, binds: 'the template' } : { bound: undefined, binds: 'nothing' };
}
