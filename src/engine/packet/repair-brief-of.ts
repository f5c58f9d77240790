// The brief of a repair: the failures it replaces, cut to their share of the packet.
import type { Failure } from '../../base/failure.ts';
import { defined, type Json } from '../../base/json.ts';
import type { Result } from '../../base/result.ts';
import { plainView } from '../../context/shrink.ts';
import { estimateTokens } from '../../context/tokens.ts';
import { type FailedStep, type PlannedStep, REPAIR_ADVICE, type RepairBrief } from '../../planning/repair-brief.ts';
import { describeFailure, earlierPlans, rootFailuresOf } from '../queries/failure-history.ts';
import { stepsOfLineage } from '../queries/lineage.ts';
import type { StoredValue } from '../record/event-parts.schema.ts';
import { valueIn } from '../record/stored-value.ts';
import type { ReadableRun } from '../state/run-view.ts';
import { isSatisfying, type RepairFacts, type RunState, type Step, stepOf } from '../state/state.ts';
import { keptFor } from '../values/bindings.ts';
import { callInput } from '../values/call-input.ts';
import { resolveValue } from '../values/resolve-value.ts';

/** How much is shown: the number of steps and plans, and the bytes of each value and text. */
interface ShownSize {
  readonly maxItems: number;
  readonly maxBytes: number;
}

/** From the amplest to the tightest; the last one is used even if it is too large. */
const measures: readonly ShownSize[] = [
  { maxItems: 20, maxBytes: 1_000 },
  { maxItems: 20, maxBytes: 300 },
  { maxItems: 10, maxBytes: 150 },
  { maxItems: 4, maxBytes: 80 },
];

/** The share of a packet that failures may take. */
const SHARE = 0.4;

/** Nothing is cut. */
const WHOLE: ShownSize = { maxItems: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER };

/** `maxTokens` is the size of the whole packet; infinite for a planner that reads everything. */
export function repairBriefOf(run: ReadableRun, repair: Step, maxTokens: number): RepairBrief | undefined {
  const { repairs } = repair;
  if (repairs === undefined) return undefined;
  if (!Number.isFinite(maxTokens)) return tell(run, repair, repairs, WHOLE);
  let brief: RepairBrief | undefined;
  for (const measure of measures) {
    brief = tell(run, repair, repairs, measure);
    if (estimateTokens(JSON.stringify(brief)) <= maxTokens * SHARE) break;
  }
  return brief;
}

/** Every value that the brief of a repair may quote. */
export function keptForRepair(state: RunState, repair: Step): StoredValue[] {
  const { repairs } = repair;
  const trials = repairs === undefined ? [] : earlierPlans(state, repairs, repair.id);
  const failed = new Set([...rootFailuresOf(state, repair), ...trials.flatMap((tried) => tried.failed)]);
  return [...failed].flatMap((step) => [
    ...keptFor(state, step),
    ...(step.people?.approved === undefined ? [] : [step.people.approved]),
    ...(step.rejected === undefined ? [] : [step.rejected]),
    ...step.tries.flatMap(({ output }) => output ?? []),
  ]);
}

function tell(run: ReadableRun, repair: Step, repairs: RepairFacts, { maxItems, maxBytes }: ShownSize): RepairBrief {
  const { state } = run;
  const { scope, trial, lineage, planner = lineage } = repairs;
  const { rationale = '', steps = [] } = state.phases.get(planner) ?? {};
  const known = stepsOfLineage(state, lineage).filter((step) => isSatisfying(step) && step.result !== undefined);
  const failed = rootFailuresOf(state, repair).slice(0, maxItems);
  const trials = earlierPlans(state, repairs, repair.id).slice(-maxItems);
  return {
    scope,
    trial,
    failed: failed.map((step) => failedStep(run, step, { maxItems, maxBytes })),
    plan: {
      planner,
      rationale: rationale.slice(0, maxBytes),
      steps: steps.slice(0, maxItems).map((id) => plannedStep(stepOf(state, id))),
    },
    trials: trials.map((tried) => ({
      planner: tried.planner,
      rationale: tried.rationale.slice(0, maxBytes),
      failed: tried.failed.slice(0, maxItems).map((step) => failedStep(run, step, { maxItems, maxBytes })),
    })),
    succeeded: known.slice(-maxItems).map(({ id }) => id),
    advice: REPAIR_ADVICE,
  };
}

function failedStep(run: ReadableRun, step: Step, { maxItems, maxBytes }: ShownSize): FailedStep {
  const { id, spec, rejected, rejectedIn, attempt, tries } = step;
  const input = inputOf(run, step);
  const { code, message } = describeFailure(step);
  const earlier = tries.filter((each) => each.attempt < attempt).slice(-maxItems);
  const output = (kept: StoredValue | undefined): { readonly output?: Json } => {
    const value = kept === undefined ? undefined : valueIn(kept, run.values);
    return defined({ output: value === undefined ? undefined : shownIn(maxBytes, value) });
  };
  return {
    step: id,
    ...defined({
      capability: spec.capability,
      agent: spec.agent === undefined ? undefined : spec.agent.name,
      task:
        spec.agent === undefined || spec.description === undefined ? undefined : spec.description.slice(0, maxBytes),
    }),
    ...(input?.ok === true ? { input: shownIn(maxBytes, input.value) } : {}),
    ...output(rejectedIn === attempt ? rejected : undefined),
    code,
    message: message.slice(0, maxBytes),
    ...(earlier.length === 0
      ? {}
      : {
          attempts: earlier.map((each) => ({
            attempt: each.attempt,
            ...output(each.output),
            code: each.code,
            message: each.message.slice(0, maxBytes),
          })),
        }),
  };
}

function shownIn(maxBytes: number, value: Json): Json {
  return maxBytes === WHOLE.maxBytes ? value : plainView(value).show(maxBytes);
}

/** The input of a failed step; the results that an agent waited for stand in the packet already. */
function inputOf(run: ReadableRun, step: Step): Result<Json, Failure> | undefined {
  const { capability, agent, input } = step.spec;
  if (agent !== undefined) return input === undefined ? undefined : resolveValue(run, step, input);
  return capability === undefined ? undefined : callInput(run, step);
}

function plannedStep({ spec, status, skipped }: Step): PlannedStep {
  const { name, type, capability, dependencies } = spec;
  return {
    name,
    type,
    ...defined({ capability }),
    depends_on: dependencies,
    status: skipped === undefined ? status : `skipped(${skipped})`,
  };
}
