// What a repair is told of what it is to mend, read off the run and cut to its share of the packet.
import type { Json } from '../../base/json.ts';
import { plainView } from '../../context/shrink.ts';
import { estimateTokens } from '../../context/tokens.ts';
import { type FailedStep, type PlannedStep, REPAIR_ADVICE, type RepairBrief } from '../../planning/repair-brief.ts';
import type { Batch } from '../batch.ts';
import { type Kept, valueIn } from '../kept.ts';
import { isSatisfying, type Repairs, type RunState, type Step, stepOf } from '../state.ts';
import { keptFor } from '../step/bindings.ts';
import { callInput } from '../step/call-input.ts';
import { described, failedOf, trialsBefore } from './failure-history.ts';
import { stepsOfLineage } from './lineage.ts';

/** The most that is shown: of how many steps and plans, and of each value and text in bytes. */
interface Measure {
  readonly most: number;
  readonly room: number;
}

/** From the amplest; the last is used where even that is too much. */
const measures: readonly Measure[] = [
  { most: 20, room: 1_000 },
  { most: 20, room: 300 },
  { most: 10, room: 150 },
  { most: 4, room: 80 },
];

/** The share of a packet that may be about what failed. */
const SHARE = 0.4;

type Sight = Pick<Batch, 'state' | 'values'>;

/** `maxTokens`: of the whole packet. */
export function repairTold(sight: Sight, repair: Step, maxTokens: number): RepairBrief | undefined {
  const { repairs } = repair;
  if (repairs === undefined) return undefined;
  let brief: RepairBrief | undefined;
  for (const measure of measures) {
    brief = tell(sight, repair, repairs, measure);
    if (estimateTokens(JSON.stringify(brief)) <= maxTokens * SHARE) break;
  }
  return brief;
}

/** Every blob in which something lies that a repair is told beside its packet. */
export function keptForRepair(state: RunState, repair: Step): Kept[] {
  return failedOf(state, repair).flatMap((step) => [
    ...keptFor(state, step),
    ...(step.rejected === undefined ? [] : [step.rejected]),
  ]);
}

function tell(sight: Sight, repair: Step, repairs: Repairs, { most, room }: Measure): RepairBrief {
  const { state } = sight;
  const { scope, trial, lineage, planner = lineage } = repairs;
  const { rationale = '', steps = [] } = state.phases.get(planner) ?? {};
  const known = stepsOfLineage(state, lineage).filter((step) => isSatisfying(step) && step.result !== undefined);
  const failed = failedOf(state, repair).slice(0, most);
  const trials = trialsBefore(state, repairs, repair.id).slice(-most);
  return {
    scope,
    trial,
    failed: failed.map((step) => failedStep(sight, step, room)),
    plan: {
      planner,
      rationale: rationale.slice(0, room),
      steps: steps.slice(0, most).map((id) => plannedStep(stepOf(state, id))),
    },
    trials: trials.map((tried) => ({
      planner: tried.planner,
      rationale: tried.rationale.slice(0, room),
      failed: tried.failed.slice(0, most).map((each) => ({ ...each, message: each.message.slice(0, room) })),
    })),
    succeeded: known.slice(-most).map(({ id }) => id),
    advice: REPAIR_ADVICE,
  };
}

function failedStep(sight: Sight, step: Step, room: number): FailedStep {
  const { id, spec, rejected } = step;
  const input = spec.capability === undefined ? undefined : callInput(sight, step);
  const output = rejected === undefined ? undefined : valueIn(rejected, sight.values);
  const { code, message } = described(step);
  const shown = (value: Json): Json => plainView(value).show(room);
  return {
    step: id,
    ...(spec.capability === undefined ? {} : { capability: spec.capability }),
    ...(input?.ok === true ? { input: shown(input.value) } : {}),
    ...(output === undefined ? {} : { output: shown(output) }),
    code,
    message: message.slice(0, room),
  };
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
