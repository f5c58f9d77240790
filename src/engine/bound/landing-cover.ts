// Whether what is kept for the landing set is enough for all that it may use, computed from the template alone.
import type { Duration } from '../../base/quantity.ts';
import { type LimitedResource, limitable, nothing, plus, quantity } from '../../budget/amount.ts';
import { limitKey } from '../../budget/limits.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Template } from '../../template/template.ts';
import { delayBefore } from '../record/backoff.ts';
import { landingOf, landingReserve, landingShare } from '../state/landing-set.ts';
import { boundOf } from './bound.ts';
import { worstCase } from './failure-assumption.ts';
import { mostOfStep } from './most-use.ts';

/** A limit that the rest of a run may use up so far that the landing set cannot land. */
export interface UncoveredLimit {
  readonly resource: LimitedResource | 'time';
  readonly limit: number;
  readonly kept: number;
  /** The most that the landing set may use. */
  readonly needs: number;
  /** The `landing_reserve`, in percent, that would keep as much; absent: the limit itself is less. */
  readonly reserve?: number;
}

export interface LandingCover {
  readonly steps: readonly string[];
  /** `landing_reserve`, in percent. */
  readonly reserve: number;
  readonly uncovered: readonly UncoveredLimit[];
}

/** A template without planning needs no landing reserve. */
export function landingCover(template: Template): LandingCover {
  const { budget, steps, repair } = template;
  const landing = landingOf(steps);
  const isPlanned = repair !== undefined || steps.some(({ type }) => type === 'planning');
  const cover = { steps: landing, reserve: budget.landingReserve };
  if (!isPlanned) return { ...cover, uncovered: [] };
  const inSet = steps.filter(({ name }) => landing.includes(name));
  return { ...cover, uncovered: [...uncoveredLimits(template, inSet), ...uncoveredTime(template, inSet)] };
}

/** Skips limits that no run can reach. */
function uncoveredLimits(template: Template, landing: readonly StepSpec[]): readonly UncoveredLimit[] {
  const { budget } = template;
  const most = landing.map((step) => mostOfStep(template, step, worstCase).bill).reduce(plus, nothing);
  const kept = landingReserve(budget);
  const binding = new Set(boundOf(template).map(({ binds }) => binds));
  return limitable.flatMap((resource) => {
    const limit = budget.limit[resource];
    const isMet = binding.has(`budget.${limitKey(resource)}`);
    if (limit === undefined || kept[resource] === undefined || !isMet) return [];
    return unlessCovered(resource, limit, kept[resource], quantity(most, resource));
  });
}

/** The time of the longest chain. Time after a crash does not count: a run without a driver stands still. */
function uncoveredTime(template: Template, landing: readonly StepSpec[]): readonly UncoveredLimit[] {
  const { budget, concurrency } = template;
  const specs = new Map(landing.map((spec) => [spec.name, spec]));
  const ends = new Map<string, Duration>();
  const endOf = (name: string): Duration => {
    const spec = specs.get(name);
    if (spec === undefined) return 0;
    const known = ends.get(name);
    if (known !== undefined) return known;
    const end = Math.max(0, ...spec.dependencies.map(endOf)) + timeOf(template, spec, concurrency.max);
    ends.set(name, end);
    return end;
  };
  const longest = Math.max(0, ...landing.map(({ name }) => endOf(name)));
  return unlessCovered('time', budget.wallClock, landingShare(budget.wallClock, budget), longest);
}

/** The time of all attempts up to their timeouts, with the waits between them. */
function timeOf(template: Template, step: StepSpec, atOnce: number): Duration {
  const { fanOut, retry, timeout, maxDeliveries, gate } = step;
  // Waiting for a person takes no time of the budget.
  if (gate !== undefined) return 0;
  if (fanOut !== undefined) return Math.ceil(fanOut.maxWidth / atOnce) * timeOf(template, fanOut.do, atOnce);
  const attempts = mostOfStep(template, step, worstCase).attempts / maxDeliveries;
  let waits = 0;
  for (let attempt = 2; attempts > 0 && attempt <= retry.maxAttempts; attempt++)
    waits += delayBefore(attempt, retry, 0);
  return attempts * timeout + waits;
}

function unlessCovered(
  resource: UncoveredLimit['resource'],
  limit: number,
  kept: number,
  needs: number,
): readonly UncoveredLimit[] {
  if (needs <= kept) return [];
  // The reserve is rounded up, so this is the least sufficient percentage.
  const reserve = needs > limit ? {} : { reserve: Math.floor(((needs - 1) * 100) / limit) + 1 };
  return [{ resource, limit, kept, needs, ...reserve }];
}
