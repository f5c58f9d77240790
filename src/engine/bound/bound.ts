// The bound: the most that any run of a template can use, computed from the template alone.

import { counted } from '../../base/counted.ts';
import { defined } from '../../base/json.ts';
import { durationText } from '../../base/quantity.ts';
import { type LimitedResource, quantity } from '../../budget/amount.ts';
import { limitKey } from '../../budget/limits.ts';
import type { ModelProfile } from '../../model/profile.ts';
import { widthOf } from '../../template/check/budgets.ts';
import { criticModelOf, matchesByWords, plannerModelOf, summaryFor } from '../../template/model-use.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Template } from '../../template/template.ts';
import { triesOf } from '../queries/tries.ts';
import { noFailures, worstCase } from './failure-assumption.ts';
import { usualWidthOf } from './growth.ts';
import { leastOf } from './least-use.ts';
import { type TotalUse, totalOf } from './total-use.ts';

/** A range; without `most` nothing bounds it. */
export interface UseRange {
  readonly least: number;
  readonly most?: number;
}

export interface BoundRow {
  /** A resource of an amount, or `attempts`, `planning_depth`, `time`. */
  readonly resource: string;
  /**
   * If nothing fails: every step succeeds at once, every plan is accepted as it is proposed first, nobody is asked a
   * question, and no process is lost. Least and most are the same where the template alone says what runs; else plans,
   * lists, conditions and models decide.
   */
  readonly ifNothingFails: UseRange;
  /** At worst: every retry, repair and redelivery. Undefined: nothing bounds it; `note` says what uses it. */
  readonly bound: number | undefined;
  /** The source of the bound: a budget key, or the template itself. */
  readonly binds: string;
  readonly note?: string;
}

const UNBOUNDED = Number.POSITIVE_INFINITY;

/** People may add to the bound: by raising a budget or by retrying a step. */
export function boundOf(template: Template): readonly BoundRow[] {
  const { budget, steps } = template;
  const [high, usual] = [totalOf(template, worstCase), totalOf(template, noFailures)];
  const least = leastOf(template);
  const { planners } = high.growth;
  const all = stepsBound(template, high);
  const usualSteps = steps.length + usualWidthOf(steps) + usual.growth.steps;
  const askers = askersOf(template, planners);
  const isEndless = modelNote(
    template,
    ({ contextWindow }) => contextWindow === undefined,
    'no context_window is said',
  );
  const isUnpriced = modelNote(template, ({ price }) => price === undefined, 'no price is known, and none is counted');
  const { bill } = high;
  const between = (resource: LimitedResource, own: UseRange = { least: 0, most: 0 }): UseRange => ({
    least: own.least + quantity(least.bill, resource),
    most: (own.most ?? UNBOUNDED) + quantity(usual.bill, resource),
  });
  const inRuns = (own: BoundSketch, of: LimitedResource, range: UseRange): BoundRow =>
    within(template, withRuns(template, own, of, quantity(bill, of)), between(of, range));
  const billed = (of: LimitedResource, note: string): BoundRow =>
    within(template, capped(template, of, quantity(bill, of), note), between(of));
  const planned = { phases: phasesBound(template, high), replans: replansBound(template, high) };
  return [
    inRuns(planned.phases, 'phases', { least: least.phases, most: usual.growth.phases }),
    inRuns(all, 'steps', { least: steps.length + least.steps, most: usualSteps }),
    within(
      template,
      row('attempts', high.attempts, { note: 'retries, questions to people and redeliveries after a crash included' }),
      { least: least.attempts, most: usual.attempts },
    ),
    billed(
      'tool_calls',
      `every attempt of every step, and of planners that are capabilities${askers === undefined ? '' : '; the tools of agents'}${plannedNote(high)}`,
    ),
    billed(
      'llm_calls',
      quantity(bill, 'llm_calls') > 0
        ? (askers ?? 'asked by runs of other templates')
        : 'no step or planner asks a model',
    ),
    ...(askers === undefined && quantity(bill, 'tokens') === 0
      ? []
      : [billed('tokens', `every ask at its longest${isEndless}`)]),
    billed(
      'cost_usd',
      bill.cost_usd === undefined
        ? `nothing here has a price${isUnpriced}`
        : `every call at the price that its capability gives${askers === undefined ? '' : `, every ask at that of its model${isUnpriced}`}`,
    ),
    inRuns(planned.replans, 'replans', { least: 0, most: 0 }),
    within(template, depthBound(template, high), {
      least: least.planningDepth,
      most: usual.growth.nests ? budget.planningDepth : Math.min(1, planners.length),
    }),
    within(
      template,
      row('time', budget.wallClock, {
        binds: 'budget.max_wall_clock_time',
        note: `while something is under way: not while only people are waited for${ownTimes(steps)}`,
      }),
      { least: 0 },
    ),
  ];
}

/** Why a planned step counts several times. */
function plannedNote({ growth: { isKnown, steps } }: TotalUse): string {
  const { attempts, deliveries } = worstCase.planned;
  if (isKnown || steps === 0) return '';
  return `; a planned step as often as a plan may say: ${attempts} attempts, ${deliveries} deliveries each`;
}

type BoundSketch = Omit<BoundRow, 'ifNothingFails'>;

/** Cuts a range at its limit: no run exceeds a limit, also if nothing fails. */
function within({ budget }: Template, own: BoundSketch, { least, most = UNBOUNDED }: UseRange): BoundRow {
  const { resource, bound = UNBOUNDED, binds, note } = own;
  const limit = new Map<string, number>(Object.entries(budget.limit)).get(resource) ?? UNBOUNDED;
  const highest = Math.min(most, bound, limit);
  return {
    resource,
    ifNothingFails: { least: Math.min(least, highest), ...(highest === UNBOUNDED ? {} : { most: highest }) },
    bound: own.bound,
    binds,
    ...defined({ note }),
  };
}

/** Adds the use of child runs. */
function withRuns(template: Template, own: BoundSketch, of: LimitedResource, brought: number): BoundSketch {
  if (brought === 0) return own;
  const note = [...(own.note === undefined ? [] : [own.note]), 'runs of other templates'].join(' + ');
  return capped(template, of, quantityOf(own) + brought, note);
}

/** `; of it: plan 5m`: the time limits that steps state. */
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

/** Without nesting, each authored planning step plans once. Nested ones are limited by the budget alone. */
function phasesBound(template: Template, { growth: { nests, planners } }: TotalUse): BoundSketch {
  if (nests) return capped(template, 'phases', UNBOUNDED, 'planning steps may nest');
  const note = planners.length === 0 ? 'nothing is planned' : 'one for each authored planning step';
  return row('phases', planners.length, { note });
}

function depthBound({ budget, repair }: Template, { growth: { nests, planners } }: TotalUse): BoundSketch {
  const { planningDepth } = budget;
  if (planners.length === 0 && repair === undefined) return row('planning_depth', 0, { note: 'nothing is planned' });
  if (planningDepth <= 1 || nests) return row('planning_depth', planningDepth, { binds: 'budget.max_planning_depth' });
  const hasSpare = (budget.limit.phases ?? UNBOUNDED) > planners.length;
  return hasSpare
    ? row('planning_depth', 1, { note: 'no plan holds a planning step' })
    : row('planning_depth', 1, { binds: `budget.${limitKey('phases')}`, note: 'no phase is left for a nested one' });
}

/** Repairs are counted only if something can start one. */
function replansBound(template: Template, { growth: { replans } }: TotalUse): BoundSketch {
  if (replans === 0) return row('replans', 0, { note: 'nothing is planned again' });
  return capped(template, 'replans', UNBOUNDED, 'what was planned may be planned again');
}

function stepsBound({ steps, budget }: Template, { growth }: TotalUse): BoundSketch {
  const width = widthOf(steps);
  const plans = [manyOf(growth.phases, 'phase'), manyOf(growth.replans, 'replan')].filter((each) => each !== undefined);
  const parts = [
    `${steps.length} authored`,
    ...(width === 0 ? [] : [`${width} that fan-outs may become`]),
    ...(plans.length === 0 ? [] : [`what ${plans.join(' and ')} may bring`]),
  ];
  return capped({ budget }, 'steps', steps.length + width + growth.steps, parts.join(' + '));
}

function manyOf(count: number, noun: string): string | undefined {
  if (!Number.isFinite(count)) return `any number of ${noun}s`;
  return count === 0 ? undefined : counted(count, noun);
}

function quantityOf({ bound = UNBOUNDED }: BoundSketch): number {
  return bound;
}

/** The smaller of what the template can ask for and what its budget allows. */
function capped(
  { budget }: Pick<Template, 'budget'>,
  resource: LimitedResource,
  most: number,
  note: string,
): BoundSketch {
  const limit = budget.limit[resource];
  const key = `budget.${limitKey(resource)}`;
  if (limit !== undefined && limit < most) return row(resource, limit, { binds: key, note });
  return row(resource, most, { note: Number.isFinite(most) ? note : `${note}, and there is no ${key}` });
}

function row(
  resource: string,
  most: number,
  { binds = 'the template', note }: { readonly binds?: string; readonly note?: string },
): BoundSketch {
  const said = defined({ note });
  if (!Number.isFinite(most)) return { resource, bound: undefined, binds: 'nothing', ...said };
  return { resource, bound: most, binds, ...said };
}

/** The parts of a template that ask models, as a phrase; undefined if none does. */
function askersOf(template: Template, planners: readonly StepSpec[]): string | undefined {
  const { steps, models, repair, embeddings } = template;
  if (Object.keys(models).length === 0 && embeddings === undefined) return undefined;
  const all = [...steps, ...(repair === undefined ? [] : [repair])].flatMap((step) =>
    [step, step.fanOut?.do ?? []].flat(),
  );
  const asking = all
    .filter((step) => asksModels(template, step))
    .map((step) => `${step.name} (${counted(triesOf(template, step), 'try', 'tries')})`);
  const planned = planners.length > 0 || repair !== undefined ? ['what is planned'] : [];
  const said = Object.keys(models).length === 0 ? asking : [...new Set(asking), ...planned];
  if (said.length === 0) return undefined;
  return `asked by ${said.join(', ')}; every turn, reading and fallback counts; failed attempts and failed requests share the tries of a step`;
}

function asksModels(template: Template, step: StepSpec): boolean {
  const { agent, judge, planning } = step;
  if (summaryFor(template, step) !== undefined) return true;
  if (planning !== undefined && criticModelOf(template) !== undefined) return true;
  if (template.embeddings !== undefined && matchesByWords(planning?.planner)) return true;
  if (Object.keys(template.models).length === 0) return false;
  return agent !== undefined || judge !== undefined || plannerModelOf(planning?.planner) !== undefined;
}

/** Why the use of models, or its cost, is unbounded. */
function modelNote({ models }: Template, is: (profile: ModelProfile) => boolean, why: string): string {
  const names = Object.entries(models).flatMap(([name, profile]) => (is(profile) ? [`models.${name}`] : []));
  return names.length === 0 ? '' : `; ${names.join(', ')}: ${why}`;
}
