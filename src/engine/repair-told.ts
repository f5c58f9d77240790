// What a repair is told of what it is to mend, read off the run.
import type { Failure } from '../base/failure.ts';
import type { Json } from '../base/json.ts';
import { plainView } from '../context/shrink.ts';
import { type FailedStep, type PlannedStep, REPAIR_ADVICE, type RepairBrief } from '../planning/repair-brief.ts';
import type { Batch } from './batch.ts';
import { keptFor } from './bindings.ts';
import { callInput } from './call-input.ts';
import { rootOf } from './failed-work.ts';
import { type Kept, valueIn } from './kept.ts';
import { stepsOfLineage } from './lineage.ts';
import { isSatisfying, type Repairs, type RunState, type Step, stepOf } from './state.ts';

/** The most that is shown of one value, in bytes of JSON, and of how many steps. */
const ROOM = 1_000;
const MOST = 20;

type Sight = Pick<Batch, 'state' | 'values'>;

export function repairTold(sight: Sight, repair: Step): RepairBrief | undefined {
  const { state } = sight;
  const { repairs } = repair;
  if (repairs === undefined) return undefined;
  const { scope, trial, lineage, planner = lineage } = repairs;
  const known = stepsOfLineage(state, lineage).filter((step) => isSatisfying(step) && step.result !== undefined);
  return {
    scope,
    trial,
    failed: failedOf(state, repair).map((step) => failedStep(sight, step)),
    plan: {
      planner,
      rationale: state.phases.get(planner)?.rationale ?? '',
      steps: (state.phases.get(planner)?.steps ?? []).slice(0, MOST).map((id) => plannedStep(stepOf(state, id))),
    },
    trials: trialsBefore(state, repairs, repair.id),
    succeeded: known.slice(-MOST).map(({ id }) => id),
    advice: REPAIR_ADVICE,
  };
}

/** Every blob in which something lies that a repair is told beside its packet. */
export function keptForRepair(state: RunState, repair: Step): Kept[] {
  return failedOf(state, repair).flatMap((step) => [
    ...keptFor(state, step),
    ...(step.rejected === undefined ? [] : [step.rejected]),
  ]);
}

/** The steps that failed first, those of repairs that this one took the place of included. */
export function failedOf(state: RunState, { id, repairs }: Step): Step[] {
  const others = [...state.steps.values()].filter((step) => step.status === 'superseded' && step.root === id);
  const failing = [...(repairs?.failing ?? []), ...others.flatMap((other) => other.repairs?.failing ?? [])];
  return [...new Set(failing.map((each) => rootOf(state, stepOf(state, each))))].slice(0, MOST);
}

function failedStep(sight: Sight, step: Step): FailedStep {
  const { id, spec, rejected } = step;
  const input = spec.capability === undefined ? undefined : callInput(sight, step);
  const output = rejected === undefined ? undefined : valueIn(rejected, sight.values);
  return {
    step: id,
    ...(spec.capability === undefined ? {} : { capability: spec.capability }),
    ...(input?.ok === true ? { input: shown(input.value) } : {}),
    ...(output === undefined ? {} : { output: shown(output) }),
    ...described(step),
  };
}

export function described({ failure, skipped, status }: Step): Pick<Failure, 'code' | 'message'> {
  return { code: failure?.code ?? 'STEP_FAILED', message: (failure?.message ?? skipped ?? status).slice(0, ROOM) };
}

function shown(value: Json): Json {
  return plainView(value).show(ROOM);
}

function plannedStep({ spec, status, skipped }: Step): PlannedStep {
  const { name, type, capability, dependencies } = spec;
  return {
    name,
    type,
    ...(capability === undefined ? {} : { capability }),
    depends_on: dependencies,
    status: skipped === undefined ? status : `skipped(${skipped})`,
  };
}

/** Each plan of the lineage with what the next repair was to mend of it. */
export function trialsBefore(state: RunState, { lineage }: Repairs, before: string): RepairBrief['trials'] {
  const repairs = state.lineages.get(lineage)?.repairs ?? [];
  const earlier = repairs.slice(0, repairs.indexOf(before));
  return earlier.map((id) => {
    const { repairs: of } = stepOf(state, id);
    const planner = of?.planner ?? lineage;
    return {
      planner,
      rationale: state.phases.get(planner)?.rationale ?? '',
      failed: failedOf(state, stepOf(state, id)).map((step) => ({ step: step.id, ...described(step) })),
    };
  });
}
