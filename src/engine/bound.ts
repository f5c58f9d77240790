// The bound: the most that any run of a template can use, computed from the template alone.
import { counted } from '../base/counted.ts';
import { durationText } from '../base/quantity.ts';
import { type Limited, quantity } from '../budget/amount.ts';
import { limitKey } from '../budget/limits.ts';
import type { ModelProfile } from '../model/profile.ts';
import { widthOf } from '../template/check/budgets.ts';
import { criticModelOf } from '../template/critic-model.ts';
import { goesByWords, modelAskedBy } from '../template/model-asked.ts';
import { defaultReplan, type ReplanSpec, type StepSpec } from '../template/step-spec.ts';
import { summaryFor } from '../template/summary-for.ts';
import type { Template } from '../template/template.ts';
import { either, type Most, mostOfAnyStep, mostOfStep, repeated, together } from './most-calls.ts';

export interface BoundRow {
  /** A resource of an amount, or `attempts`, `planning_depth`, `time` (milliseconds). */
  readonly resource: string;
  /** Undefined: nothing bounds it; `note` says what uses it. */
  readonly bound: number | undefined;
  /** What holds it there: a budget key, or the template itself. */
  readonly binds: string;
  readonly note?: string;
}

const UNBOUNDED = Number.POSITIVE_INFINITY;

/** What people add on top is not in it: a budget that they raise, a step that they have begun again. */
export function boundOf(template: Template): readonly BoundRow[] {
  const { budget, steps } = template;
  const planners = steps.filter(isPlanning);
  const phases = phasesBound(template, planners);
  const replans = replansBound(template, planners);
  const grown = grownBy(template, planners, quantityOf(phases), quantityOf(replans));
  const all = stepsBound(template, grown, phases, replans);
  // What an authored fan-out does not become is left for fragments.
  const grafted = Math.max(0, Math.min(grown, quantityOf(all) - steps.length));
  const nests = mayNest(template, planners);
  const { attempts, bill } = together([
    ...steps.filter((step) => !isPlanning(step)).map((step) => mostOfStep(template, step)),
    ...plannersOf(template, planners, quantityOf(replans)),
    repeated(mostOfAnyStep(template, nests), grafted),
  ]);
  const askers = askersOf(template, planners);
  const isEndless = modelNote(
    template,
    ({ contextWindow }) => contextWindow === undefined,
    'no context_window is said',
  );
  const isUnpriced = modelNote(template, ({ price }) => price === undefined, 'no price is known, and none is counted');
  const inRuns = (own: BoundRow, of: Limited): BoundRow => withRuns(template, own, of, quantity(bill, of));
  return [
    inRuns(phases, 'phases'),
    inRuns(all, 'steps'),
    row('attempts', attempts, { note: 'retries, questions to people and redeliveries after a crash included' }),
    capped(
      template,
      'tool_calls',
      quantity(bill, 'tool_calls'),
      `every attempt of every step, and of planners that are capabilities${askers === undefined ? '' : '; the tools of agents'}`,
    ),
    capped(
      template,
      'llm_calls',
      quantity(bill, 'llm_calls'),
      quantity(bill, 'llm_calls') > 0
        ? (askers ?? 'asked by runs of other templates')
        : 'no step or planner asks a model',
    ),
    ...(askers === undefined && quantity(bill, 'tokens') === 0
      ? []
      : [capped(template, 'tokens', quantity(bill, 'tokens'), `every ask at its longest${isEndless}`)]),
    capped(
      template,
      'cost_usd',
      quantity(bill, 'cost_usd'),
      bill.cost_usd === undefined
        ? `nothing here has a price${isUnpriced}`
        : `every call at the price that its capability gives${askers === undefined ? '' : `, every ask at that of its model${isUnpriced}`}`,
    ),
    inRuns(replans, 'replans'),
    depthBound(template, planners),
    row('time', budget.wallClock, {
      binds: 'budget.max_wall_clock_time',
      note: `while something is under way: not while only people are waited for${ownTimes(steps)}`,
    }),
  ];
}

/** What runs that steps start bring of their own. */
function withRuns(template: Template, own: BoundRow, of: Limited, brought: number): BoundRow {
  if (brought === 0) return own;
  const note = [...(own.note === undefined ? [] : [own.note]), 'runs of other templates'].join(' + ');
  return capped(template, of, quantityOf(own) + brought, note);
}

/** `; of it: plan 5m`: what steps say that they may use of the time. */
function ownTimes(steps: readonly StepSpec[]): string {
  const own = steps.flatMap((step) => [
    ...ownTime(step.name, step),
    ...(step.fanOut === undefined ? [] : ownTime(`each of ${step.name}`, step.fanOut.do)),
  ]);
  return own.length === 0 ? '' : `; of it: ${own.join(', ')}`;
}

function ownTime(name: string, { budget }: StepSpec): readonly string[] {
  return budget?.wallClock === undefined ? [] : [`${name} ${durationText(budget.wallClock)}`];
}

/** Without nesting, each authored planning step plans once; nested ones only end at the limit. */
function phasesBound(template: Template, planners: readonly StepSpec[]): BoundRow {
  if (!mayNest(template, planners)) {
    const note = planners.length === 0 ? 'nothing is planned' : 'one for each authored planning step';
    return row('phases', planners.length, { note });
  }
  return capped(template, 'phases', UNBOUNDED, 'planning steps may nest');
}

/**
 * A nested planning step is a phase: one that the budget has beside the authored ones, or one that an authored
 * planning step did not use because it failed or was skipped, while another plans.
 */
function mayNest({ budget, repair }: Template, planners: readonly StepSpec[]): boolean {
  const limit = budget.limit.phases ?? UNBOUNDED;
  const whoPlans = planners.length + (repair === undefined ? 0 : 1);
  return budget.planningDepth > 1 && whoPlans > 0 && limit > 0 && (whoPlans > 1 || limit > planners.length);
}

function depthBound(template: Template, planners: readonly StepSpec[]): BoundRow {
  const { planningDepth } = template.budget;
  const binds = 'budget.max_planning_depth';
  if (planners.length === 0 && template.repair === undefined) {
    return row('planning_depth', 0, { note: 'nothing is planned' });
  }
  if (planningDepth <= 1 || mayNest(template, planners)) return row('planning_depth', planningDepth, { binds });
  return row('planning_depth', 1, { binds: `budget.${limitKey('phases')}`, note: 'no phase is left for a nested one' });
}

/** Planned steps may ask for a repair as they like, authored ones where the template has somebody who makes it. */
function replansBound(template: Template, planners: readonly StepSpec[]): BoundRow {
  const { steps, repair } = template;
  const planned = planners.some(({ planning }) => mayRepair(planning?.replan)) || mayNest(template, planners);
  const authored = repair !== undefined && mayRepair(repair.planning?.replan) && steps.some(asksForReplan);
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
  const planned = mayNest(template, planners) ? product(phases, widest) : sum(fragments);
  return planned + product(replans, 1 + widest);
}

function stepsBound({ steps, budget }: Template, grown: number, phases: BoundRow, replans: BoundRow): BoundRow {
  const width = widthOf(steps);
  const plans = [manyOf(phases.bound, 'phase'), manyOf(replans.bound, 'replan')].filter((each) => each !== undefined);
  const parts = [
    `${steps.length} authored`,
    ...(width === 0 ? [] : [`${width} that fan-outs may become`]),
    ...(plans.length === 0 ? [] : [`what ${plans.join(' and ')} may bring`]),
  ];
  return capped({ budget }, 'steps', steps.length + width + grown, parts.join(' + '));
}

function manyOf(count: number | undefined, noun: string): string | undefined {
  if (count === undefined) return `any number of ${noun}s`;
  return count === 0 ? undefined : counted(count, noun);
}

/** A repair is planned by whoever planned, and a nested planning step by anybody that a planner may name. */
function plannersOf(template: Template, planners: readonly StepSpec[], replans: number): readonly Most[] {
  const { repair } = template;
  const authored = planners.map((step) => mostOfStep(template, step));
  const nested = mayNest(template, planners) ? [mostOfAnyStep(template, true)] : [];
  const again = [...authored, ...nested, ...(repair === undefined ? [] : [mostOfStep(template, repair)])];
  return [...authored, repeated(either(...again), replans)];
}

/** Who asks models, as it is said to people; undefined when nobody can. */
function askersOf(template: Template, planners: readonly StepSpec[]): string | undefined {
  const { steps, models, repair, embeddings } = template;
  if (Object.keys(models).length === 0 && embeddings === undefined) return undefined;
  const all = [...steps, ...(repair === undefined ? [] : [repair])].flatMap((step) =>
    [step, step.fanOut?.do ?? []].flat(),
  );
  const asking = all.filter((step) => asksModels(template, step)).map(({ name }) => name);
  const planned = planners.length > 0 || repair !== undefined ? ['what is planned'] : [];
  const said = Object.keys(models).length === 0 ? asking : [...new Set(asking), ...planned];
  return said.length === 0 ? undefined : `asked by ${said.join(', ')}; every try, turn and reading counts`;
}

function asksModels(template: Template, step: StepSpec): boolean {
  const { agent, judge, planning } = step;
  if (summaryFor(template, step) !== undefined) return true;
  if (planning !== undefined && criticModelOf(template) !== undefined) return true;
  if (template.embeddings !== undefined && goesByWords(planning?.planner)) return true;
  if (Object.keys(template.models).length === 0) return false;
  return agent !== undefined || judge !== undefined || modelAskedBy(planning?.planner) !== undefined;
}

/** Why nobody knows how much it may become, or what it costs. */
function modelNote({ models }: Template, is: (profile: ModelProfile) => boolean, why: string): string {
  const names = Object.entries(models).flatMap(([name, profile]) => (is(profile) ? [`models.${name}`] : []));
  return names.length === 0 ? '' : `; ${names.join(', ')}: ${why}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** None of something is none of it, however often. */
function product(count: number, each: number): number {
  return count === 0 || each === 0 ? 0 : count * each;
}

function isPlanning({ type }: StepSpec): boolean {
  return type === 'planning';
}

function quantityOf({ bound = UNBOUNDED }: BoundRow): number {
  return bound;
}

/** The smaller of what the template can ask for and what its budget allows. */
function capped({ budget }: Pick<Template, 'budget'>, resource: Limited, worst: number, note: string): BoundRow {
  const limit = budget.limit[resource];
  const key = `budget.${limitKey(resource)}`;
  if (limit !== undefined && limit < worst) return row(resource, limit, { binds: key, note });
  return row(resource, worst, { note: Number.isFinite(worst) ? note : `${note}, and there is no ${key}` });
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
