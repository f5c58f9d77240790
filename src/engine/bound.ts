// The bound: the most that any run of a template can use, computed from the template alone.
import type { Limited } from '../budget/amount.ts';
import { limitKey } from '../budget/limits.ts';
import { mostOfPlanned } from '../planning/checks/size.ts';
import { widthOf } from '../template/check/budgets.ts';
import { CLARIFICATIONS, defaultReplan, type ReplanSpec, repairStep, type StepSpec } from '../template/step-spec.ts';
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

const UNBOUNDED = Number.POSITIVE_INFINITY;

/** What people add on top is not in it: a budget that they raise, a step that they have begun again. */
export function boundOf(template: Template): readonly BoundRow[] {
  const { budget, steps, repair } = template;
  const planners = steps.filter(isPlanning);
  const plans = planners.length > 0 || repair !== undefined;
  const phases = phasesBound(template, planners);
  const replans = replansBound(template, planners);
  const grown = grownBy(template, planners, phases.bound, quantityOf(replans));
  const all = stepsBound(template, grown, phases.bound, quantityOf(replans));
  // What an authored fan-out does not become is left for fragments.
  const grafted = Math.max(0, Math.min(grown, quantityOf(all) - steps.length));
  const calls = callsOf(template, grafted);
  const asked = plannersOf(template, planners, phases.bound, quantityOf(replans));
  return [
    phases,
    all,
    row('attempts', calls + sum(asked.map(({ attempts }) => attempts)), {
      note: 'retries, questions to people and redeliveries after a crash included',
    }),
    capped(
      template,
      'tool_calls',
      calls + sum(asked.filter(({ calls: each }) => each).map(({ attempts }) => attempts)),
      'every attempt of every step, and of planners that are capabilities',
    ),
    capped(template, 'llm_calls', 0, 'no step or planner asks a model'),
    capped(template, 'cost_usd', 0, 'nothing here has a price'),
    replans,
    row('planning_depth', plans ? budget.planningDepth : 0, { binds: 'budget.max_planning_depth' }),
    row('time', budget.wallClock, { binds: 'budget.max_wall_clock_time' }),
  ];
}

/** Without nesting, each authored planning step plans once; nested ones only end at the limit. */
function phasesBound(template: Template, planners: readonly StepSpec[]): BoundRow & { readonly bound: number } {
  const limit = template.budget.limit.phases;
  if (!nests(template, planners) || limit === undefined || limit <= planners.length) {
    return {
      resource: 'phases',
      bound: planners.length,
      binds: 'the template',
      note: 'one for each authored planning step',
    };
  }
  return { resource: 'phases', bound: limit, binds: `budget.${limitKey('phases')}`, note: 'planning steps may nest' };
}

function nests({ budget, repair }: Template, planners: readonly StepSpec[]): boolean {
  return (planners.length > 0 || repair !== undefined) && budget.planningDepth > 1;
}

/** Planned steps may ask for a repair as they like, authored ones where the template has somebody who makes it. */
function replansBound(template: Template, planners: readonly StepSpec[]): BoundRow {
  const { steps, repair } = template;
  const planned = planners.some(({ planning }) => mayRepair(planning?.replan)) || nests(template, planners);
  const authored = repair !== undefined && mayRepair(repair.replan) && steps.some(asksForReplan);
  const asked = planners.length > 0 && steps.some(({ convergence }) => convergence?.onExhaustion === 'ask');
  if (!planned && !authored && !asked) return row('replans', 0, { note: 'nothing is planned again' });
  return capped(template, 'replans', UNBOUNDED, 'what was planned may be planned again');
}

function mayRepair({ max = 1, maxAttempts }: ReplanSpec = defaultReplan): boolean {
  return max > 0 || maxAttempts > 0;
}

function asksForReplan({ onFailure, onVerificationFailure }: StepSpec): boolean {
  return onFailure === 'replan' || onVerificationFailure === 'replan';
}

/** A fragment is as large as it may be, its fan-outs included; a replan is a step, and brings a fragment too. */
function grownBy(template: Template, planners: readonly StepSpec[], phases: number, replans: number): number {
  const { fragmentSteps } = template.budget;
  const fragments = planners.map(({ budget }) => budget?.fragmentSteps ?? fragmentSteps);
  const widest = Math.max(template.repair === undefined ? 0 : fragmentSteps, ...fragments);
  const nested = (phases - planners.length) * widest;
  return sum(fragments) + nested + (replans === 0 ? 0 : replans * (1 + widest));
}

function stepsBound(template: Template, grown: number, phases: number, replans: number): BoundRow {
  const authored = template.steps.length + widthOf(template.steps);
  const plans = replans === 0 ? `${phases} phases` : `${phases} phases and ${replans} replans`;
  return capped(template, 'steps', authored + grown, `${authored} authored + ${plans} × their fragments`);
}

function callsOf({ steps, capabilities }: Template, grafted: number): number {
  const mayAsk = Object.values(capabilities).some(({ asks }) => asks === true);
  const { attempts, deliveries, questions } = mostOfPlanned;
  const each = (attempts + (mayAsk ? questions : 0)) * deliveries;
  return sum(steps.map((step) => callsOfStep(step, capabilities))) + grafted * each;
}

function callsOfStep(step: StepSpec, capabilities: Template['capabilities']): number {
  const { capability, retry, maxDeliveries, fanOut } = step;
  if (fanOut !== undefined) return fanOut.maxWidth * callsOfStep(fanOut.do, capabilities);
  if (capability === undefined) return 0;
  const questions = capabilities[capability]?.asks === true ? questionsOf(step) : 0;
  return (retry.maxAttempts + questions) * maxDeliveries;
}

function questionsOf({ maxClarifications = CLARIFICATIONS }: StepSpec): number {
  return maxClarifications;
}

interface Asked {
  readonly attempts: number;
  /** It may be a capability, so that each attempt is a call. */
  readonly calls: boolean;
}

/** A planner may ask once to see more, beside its proposals. */
const TO_SEE_MORE = 1;

/** An authored planning step may propose as often as it says, a nested one as often as review lets it; a repair as who planned. */
function plannersOf(
  template: Template,
  planners: readonly StepSpec[],
  phases: number,
  replans: number,
): readonly Asked[] {
  const authored = planners.map(askedOf);
  const nested = nests(template, planners) ? [ofNested] : [];
  const repair = template.repair === undefined ? [] : [askedOf(repairStep(template.repair))];
  const again = [...authored, ...nested, ...repair];
  return [
    ...authored,
    ...nested.map((each) => repeated(each, phases - planners.length)),
    ...(replans === 0 ? [] : [repeated({ attempts: most(again), calls: again.some(({ calls }) => calls) }, replans)]),
  ];
}

function askedOf(step: StepSpec): Asked {
  const { planning, maxDeliveries } = step;
  const proposals = planning?.maxAttempts ?? 0;
  return {
    attempts: (proposals + questionsOf(step) + TO_SEE_MORE) * maxDeliveries,
    calls: planning?.planner?.kind === 'capability',
  };
}

const ofNested: Asked = {
  attempts: (mostOfPlanned.attempts + mostOfPlanned.questions + TO_SEE_MORE) * mostOfPlanned.deliveries,
  calls: true,
};

function repeated({ attempts, calls }: Asked, times: number): Asked {
  return { attempts: attempts * times, calls };
}

function most(asked: readonly Asked[]): number {
  return Math.max(0, ...asked.map(({ attempts }) => attempts));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function isPlanning({ type }: StepSpec): boolean {
  return type === 'planning';
}

function quantityOf({ bound = UNBOUNDED }: BoundRow): number {
  return bound;
}

/** The smaller of what the template can ask for and what its budget allows. */
function capped({ budget }: Template, resource: Limited, worst: number, note: string): BoundRow {
  const limit = budget.limit[resource];
  if (limit !== undefined && limit < worst)
    return row(resource, limit, { binds: `budget.${limitKey(resource)}`, note });
  return row(resource, worst, { note });
}

function row(
  resource: string,
  worst: number,
  { binds = 'the template', note }: { readonly binds?: string; readonly note?: string },
): BoundRow {
  const said = note === undefined ? {} : { note };
  if (!Number.isFinite(worst)) return { resource, bound: undefined, binds: 'nothing', ...said };
  return { resource, bound: worst, binds, ...said };
}
