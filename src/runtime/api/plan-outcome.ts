// The outcome of a plan: results by step name, replans with their reasons, and costs.
import { type Failure, failure } from '../../base/failure.ts';
import { defined, type Json, type JsonObject } from '../../base/json.ts';
import type { Instant } from '../../base/quantity.ts';
import type { ShownAmount } from '../../budget/display-figures.ts';
import type { StoredValue } from '../../engine/record/event-parts.schema.ts';
import type { OrderOutcome } from '../../engine/record/run-events.schema.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import { isSatisfying, type Step } from '../../engine/state/state.ts';
import type { OpenGate } from '../../view/open-gates.ts';
import type { RunRecord } from './run-record.ts';
import type { RunReport } from './run-report.ts';

/** One repair of a plan. */
export interface Replan {
  /** The step that failed; absent when the plan as a whole failed. */
  readonly step?: string;
  /** The description of the step, or the capability that it called. */
  readonly approach: string;
  /** The result that failed its verification. */
  readonly output?: Json;
  readonly diagnosis: string;
  readonly at: Instant;
}

interface PlanTotals {
  readonly run: string;
  /** Something that the goal orders was not done, or a part of the work failed. */
  readonly partial: boolean;
  /** The orders of the goal, each with its outcome and its steps; absent until the run has ended. */
  readonly orders?: readonly OrderOutcome[];
  /** Results by the names of steps. A replaced step appears as its replacement. */
  readonly results: JsonObject;
  readonly replanCount: number;
  /** One, and one more for each replan. */
  readonly executionAttempts: number;
  readonly replanHistory: readonly Replan[];
  /** The seconds in which the run worked. */
  readonly duration: number;
  /** Money in dollars. */
  readonly spend: ShownAmount;
}

/** `waiting`: only people can move the run. `stopped`: the run was paused, or this process was stopped; it can be resumed. */
export type PlanOutcome =
  | ({ readonly status: 'completed' } & PlanTotals)
  | ({ readonly status: 'failed'; readonly reason: Failure } & PlanTotals)
  | ({ readonly status: 'waiting'; readonly gates: readonly OpenGate[] } & PlanTotals)
  | ({ readonly status: 'stopped' } & PlanTotals);

export function planOutcome(report: RunReport, record: RunRecord): PlanOutcome {
  const { run, status, gates = [], elapsed: duration, spent: spend } = report;
  const replanHistory = historyOf(record);
  const totals: PlanTotals = {
    run,
    partial: report.partial,
    ...defined({ orders: report.orders }),
    results: resultsOf(record),
    replanCount: replanHistory.length,
    executionAttempts: replanHistory.length + 1,
    replanHistory,
    duration,
    spend,
  };
  switch (status) {
    case 'completed':
      return { status, ...totals };
    case 'waiting':
      return { status, gates, ...totals };
    case 'paused':
    case 'interrupted':
      return { status: 'stopped', ...totals };
    case 'failed':
    case 'cancelled':
      return {
        status: 'failed',
        reason: report.failure ?? failure('STEP_CANCELLED', 'the run was cancelled'),
        ...totals,
      };
  }
}

function resultsOf({ state, blob }: RunRecord): JsonObject {
  const results = new Map<string, Json>();
  for (const step of planned(state)) {
    const { id, spec, result } = step;
    if (result === undefined || !isSatisfying(step)) continue;
    results.set(results.has(spec.name) ? id : spec.name, read(result, blob));
  }
  return Object.fromEntries(results);
}

/** The planned steps, without replaced ones and items of fan-outs. */
function planned({ steps }: RunView): readonly Step[] {
  return [...steps.values()].filter(
    ({ provenance, item, status, takenUp, spec }) =>
      provenance !== undefined &&
      item === undefined &&
      spec.type !== 'planning' &&
      status !== 'superseded' &&
      takenUp === undefined,
  );
}

function historyOf({ state, events, blob }: RunRecord): readonly Replan[] {
  return events.flatMap(({ at, version, event }): readonly Replan[] => {
    if (event.type !== 'replan.started') return [];
    const [failing] = event.failing;
    const step = failing === undefined ? undefined : state.steps.get(failing);
    if (step === undefined) return [{ approach: event.scope, diagnosis: 'the plan as a whole failed', at }];
    const rejected = events.findLast(
      (each) => each.version < version && each.event.type === 'verification.failed' && each.event.step === step.id,
    )?.event;
    const { description, capability, agent, type } = step.spec;
    return [
      {
        step: step.spec.name,
        approach: description ?? capability ?? agent?.name ?? type,
        ...(rejected?.type === 'verification.failed' ? { output: read(rejected.value, blob) } : {}),
        diagnosis: rejected?.type === 'verification.failed' ? rejected.diagnosis : (step.failure?.message ?? ''),
        at,
      },
    ];
  });
}

function read(kept: StoredValue, blob: RunRecord['blob']): Json {
  if ('value' in kept) return kept.value;
  const value: Json = JSON.parse(blob(kept.digest) ?? 'null');
  return value;
}
