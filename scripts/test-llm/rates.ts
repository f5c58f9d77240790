// Rates the planners of a run: the share of valid fragments and predicates, and of successful repairs.
import { isJsonArray, isJsonObject, type Json } from '../../src/base/json.ts';
import type { RunRecord } from '../../src/runtime/api/run-record.ts';

/** The number of trials, and of those that succeeded. */
export interface Rate {
  readonly of: number;
  readonly good: number;
}

export interface Rates {
  /** Replies of planners, and of those the grafted ones. */
  readonly fragments: Rate;
  /** Verifications in those replies, and of those the valid ones. */
  readonly predicates: Rate;
  /** Planning steps with a rejected reply, and of those the ones with a grafted later reply. */
  readonly repairs: Rate;
  /** The number of planned steps, because an empty fragment is valid too. */
  readonly steps: number;
}

export function ratesOf({ events, blob }: Pick<RunRecord, 'events' | 'blob'>): Rates {
  const rejected = new Set<string>();
  const grafted = new Set<string>();
  let [proposed, predicates, broken, steps] = [0, 0, 0, 0];
  for (const { event } of events) {
    if (event.type === 'plan.proposed') {
      const { reply } = event;
      proposed += 1;
      predicates += verificationsIn(
        'value' in reply ? reply.value : (JSON.parse(blob(reply.digest) ?? 'null') as Json),
      );
    } else if (event.type === 'fragment.rejected') {
      rejected.add(event.step);
      const errors = event.issues.filter(({ severity, path }) => severity === 'error' && path.includes('verification'));
      broken += new Set(errors.map(({ path }) => path.slice(0, path.indexOf('verification')).join('.'))).size;
    } else if (event.type === 'fragment.grafted' && event.forced !== true) {
      grafted.add(event.planner);
      steps += event.steps.length;
    }
  }
  return {
    fragments: { of: proposed, good: grafted.size },
    predicates: { of: predicates, good: Math.max(0, predicates - broken) },
    repairs: { of: rejected.size, good: [...rejected].filter((step) => grafted.has(step)).length },
    steps,
  };
}

function verificationsIn(value: Json): number {
  if (isJsonArray(value)) return value.reduce((sum: number, each) => sum + verificationsIn(each), 0);
  if (!isJsonObject(value)) return 0;
  const own = typeof value.verification === 'string' || isJsonObject(value.verification ?? null) ? 1 : 0;
  return Object.values(value).reduce((sum: number, each) => sum + verificationsIn(each), own);
}

export function together(rates: readonly Rates[]): Rates {
  const sum = (pick: (each: Rates) => Rate): Rate => ({
    of: rates.reduce((total, each) => total + pick(each).of, 0),
    good: rates.reduce((total, each) => total + pick(each).good, 0),
  });
  return {
    fragments: sum(({ fragments }) => fragments),
    predicates: sum(({ predicates }) => predicates),
    repairs: sum(({ repairs }) => repairs),
    steps: rates.reduce((total, each) => total + each.steps, 0),
  };
}
