// Runs a plan by itself: read, judged in the frame of a mission before anything is started, then run to its rest.

import { present } from '../../base/fault.ts';
import { hasErrors, type Issue, issue } from '../../base/issue.ts';
import { isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { contractOf } from '../../contract/contract.ts';
import { frameBeforeRun } from '../../engine/packet/frame-before-run.ts';
import type { Fragment } from '../../planning/fragment.ts';
import { readFragment } from '../../planning/read-fragment.ts';
import type { Verdict } from '../../planning/review.ts';
import { review, reviewUnread } from '../../planning/review.ts';
import { resultOf } from '../../template/check/producers.ts';
import { type Mission, missionTemplate } from '../../template/mission.ts';
import { modelNamed } from '../../template/model-use.ts';
import type { Template } from '../../template/template.ts';
import type { Engine, LoadOptions, RunHandle, StartOptions } from '../api/engine.ts';
import { type PlanOutcome, planOutcome } from '../api/plan-outcome.ts';

export interface PlanOptions extends StartOptions, Pick<LoadOptions, 'capabilities'> {
  /** The goal of the plan. */
  readonly mission?: string;
  /** Keys of a template, laid over those of the frame: `capabilities`, `roots`, `models`, `fail_fast`, … */
  readonly frame?: JsonObject;
  /** More keys of the planning step, such as `plan_review`. */
  readonly planning?: JsonObject;
}

/** A plan as it would be run. */
export interface ReadyPlan {
  readonly fragment: Fragment;
  readonly template: Template;
  readonly verdict: Verdict;
}

const STEP = 'plan';

/** Issues: all that keeps the plan from being run; their paths are those of the plan as it is written. */
export async function readyPlan(
  engine: Engine,
  plan: Json,
  { mission, frame = {}, planning = {}, given = {}, capabilities = [] }: PlanOptions = {},
): Promise<Result<ReadyPlan>> {
  const read = readFragment(plan);
  const load = (sketch: Mission) =>
    engine.load(missionTemplate(mission === undefined ? sketch : { goal: mission, ...sketch }), { capabilities });
  const rigid = await load({ planner: { kind: 'fixed', fragment: plan }, planning, frame: roomy(frame) });
  if (!rigid.ok) return read.ok ? rigid : bad([...read.error.issues, ...rigid.error]);
  const frameIn = (loaded: Template) => present(frameBeforeRun(loaded, STEP), 'the planning step of a mission');
  if (!read.ok) return bad(reviewUnread(read.error, frameIn(rigid.value)));
  if (!('steps' in read.value)) return bad([noPlan]);
  const fragment = read.value;
  const mender = wantsMending(fragment) ? modelNamed(rigid.value.models, undefined) : undefined;
  const template =
    mender === undefined
      ? rigid
      : await load({
          planner: { kind: 'fixed', fragment: plan, model: mender.name },
          planning,
          frame: { fail_fast: false, ...roomy(frame) },
        });
  if (!template.ok) return template;
  const verdict = review(fragment, frameIn(template.value));
  const issues = [...verdict.issues, ...misgiven(fragment, template.value, given)];
  if (hasErrors(issues)) return bad(issues);
  return good({ fragment, template: template.value, verdict }, [...template.warnings, ...issues]);
}

/** How often models are asked is bounded by money and time, which a plan does not say. */
function roomy(frame: JsonObject): JsonObject {
  const budget = ownProperty(frame, 'budget');
  return { ...frame, budget: { max_total_llm_calls: 100, ...(isJsonObject(budget) ? budget : {}) } };
}

/** A plan that may be mended does not halt at its first failure: that would leave nobody to mend it. */
function wantsMending({ steps }: Fragment): boolean {
  return steps.some(
    ({ onFailure, onVerificationFailure }) => onFailure === 'replan' || onVerificationFailure === 'replan',
  );
}

/** Starts a plan and drives it in this process. */
export async function startPlan(engine: Engine, plan: Json, options: PlanOptions = {}): Promise<Result<RunHandle>> {
  const ready = await readyPlan(engine, plan, options);
  if (!ready.ok) return ready;
  const { mission: _, frame: __, planning: ___, ...start } = options;
  const started = await engine.start(ready.value.template, start);
  return started.ok ? good(started.value, [...ready.warnings, ...started.warnings]) : started;
}

/** Runs a plan until it has ended, or until only people can move it. */
export async function executePlan(engine: Engine, plan: Json, options: PlanOptions = {}): Promise<Result<PlanOutcome>> {
  const started = await startPlan(engine, plan, options);
  if (!started.ok) return started;
  const report = await started.value.done;
  const record = engine.read(report.run);
  return record.ok ? good(planOutcome(report, record.value), started.warnings) : record;
}

/** Results given for steps that are not there, or that their steps would not take. */
function misgiven(
  { steps }: Fragment,
  { capabilities }: Template,
  given: Readonly<Record<string, Json>>,
): readonly Issue[] {
  return Object.entries(given).flatMap(([name, value]): readonly Issue[] => {
    const step = steps.find((each) => each.name === name);
    if (step === undefined) {
      const names = steps.map((each) => each.name);
      const hint = didYouMean(name, names) ?? `its steps are ${names.join(', ')}`;
      return [issue('GIVEN_STEP_UNKNOWN', `a result is given for "${name}", and the plan has no such step`, { hint })];
    }
    if (step.type === 'planning') return [issue('GIVEN_RESULT_INVALID', `"${name}" plans, and a plan is no result`)];
    const schema = resultOf(step, capabilities);
    const checked = schema === undefined ? undefined : contractOf(schema).check(value);
    if (checked === undefined || checked.ok) return [];
    const [first] = checked.error;
    return [
      issue('GIVEN_RESULT_INVALID', `the result given for "${name}" breaks its contract: ${first?.message ?? ''}`),
    ];
  });
}

const noPlan = issue('FRAGMENT_UNREADABLE', 'it brings no steps', {
  hint: 'write {"steps": [{"name": "…", "capability": "…", "input": {…}}]}',
});
