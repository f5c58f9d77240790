// Runs a plan without a template: reviews it in the frame of a mission, then runs it until it comes to rest.

import { present } from '../../base/fault.ts';
import { hasErrors, type Issue, issue } from '../../base/issue.ts';
import { isJsonObject, type Json, type JsonObject, ownProperty, plainJson } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { optionIssues } from '../../base/options.ts';
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
import type { Engine, PlanOptions, RunHandle } from '../api/engine.ts';
import { budgetHint, planOptions } from '../api/option-tables.ts';
import { type PlanOutcome, planOutcome } from '../api/plan-outcome.ts';

/** A reviewed plan with the template that runs it. */
export interface ReadyPlan {
  readonly fragment: Fragment;
  readonly template: Template;
  readonly verdict: Verdict;
}

const STEP = 'plan';

/** Reviews a plan. Issues: everything that prevents it from running; their paths are paths in the plan. */
export async function readyPlan(
  engine: Engine,
  plan: Json,
  { mission, frame = {}, planning = {}, given = {}, capabilities = [] }: PlanOptions = {},
): Promise<Result<ReadyPlan>> {
  const load = (sketch: Mission) =>
    engine.load(missionTemplate(mission === undefined ? sketch : { goal: mission, ...sketch }), { capabilities });
  const rigid = await load({ planner: { kind: 'fixed', fragment: plan }, planning, frame: withModelCalls(frame) });
  if (!rigid.ok) {
    const alone = readFragment(plan);
    return alone.ok ? rigid : bad([...alone.error.issues, ...rigid.error]);
  }
  const frameIn = (loaded: Template) => present(frameBeforeRun(loaded, STEP), 'the planning step of a mission');
  const { declarations, stepTimeout } = frameIn(rigid.value);
  const read = readFragment(plan, declarations, stepTimeout);
  if (!read.ok) return bad(reviewUnread(read.error, frameIn(rigid.value)));
  if (!('steps' in read.value)) return bad([noPlan]);
  const fragment = read.value;
  const repairer = wantsRepair(fragment) ? modelNamed(rigid.value.models, undefined) : undefined;
  const template =
    repairer === undefined
      ? rigid
      : await load({
          planner: { kind: 'fixed', fragment: plan, model: repairer.name },
          planning,
          frame: { fail_fast: false, ...withModelCalls(frame) },
        });
  if (!template.ok) return template;
  const verdict = review(fragment, frameIn(template.value));
  const issues = [...verdict.issues, ...issuesOfGiven(fragment, template.value, given)];
  if (hasErrors(issues)) return bad(issues);
  return good({ fragment, template: template.value, verdict }, [...template.warnings, ...issues]);
}

/** Allows more model calls than the default, because a plan sets no such limit; money and time bound the cost. */
function withModelCalls(frame: JsonObject): JsonObject {
  const budget = ownProperty(frame, 'budget');
  return { ...frame, budget: { max_total_llm_calls: 100, ...(isJsonObject(budget) ? budget : {}) } };
}

/** True when a step may be repaired. The plan must then not fail fast, because that would prevent the repair. */
function wantsRepair({ steps }: Fragment): boolean {
  return steps.some(
    ({ onFailure, onVerificationFailure }) => onFailure === 'replan' || onVerificationFailure === 'replan',
  );
}

/** Starts a plan and drives it in this process. */
export async function startPlan(
  engine: Engine,
  plan: Json | object,
  options: PlanOptions = {},
): Promise<Result<RunHandle>> {
  const wrong = optionIssues('startPlan', options, planOptions, budgetHint(planOptions));
  if (wrong.length > 0) return bad(wrong);
  const ready = await readyPlan(engine, plainJson(plan), options);
  if (!ready.ok) return ready;
  const { mission: _, frame: __, planning: ___, capabilities: ____, ...start } = options;
  const started = await engine.start(ready.value.template, start);
  return started.ok ? good(started.value, [...ready.warnings, ...started.warnings]) : started;
}

/** Runs a plan until the run has ended or only people can move it. */
export async function executePlan(
  engine: Engine,
  plan: Json | object,
  options: PlanOptions = {},
): Promise<Result<PlanOutcome>> {
  const started = await startPlan(engine, plan, options);
  if (!started.ok) return started;
  const report = await started.value.done;
  const record = engine.read(report.run);
  return record.ok ? good(planOutcome(report, record.value), started.warnings) : record;
}

/** The issues of given results: an unknown step, or a result that breaks the contract of its step. */
function issuesOfGiven(
  { steps }: Fragment,
  { capabilities }: Template,
  given: Readonly<Record<string, Json>>,
): readonly Issue[] {
  return Object.entries(given).flatMap(([name, value]): readonly Issue[] => {
    const step = steps.find((each) => each.name === name);
    if (step === undefined) {
      const names = steps.map((each) => each.name);
      const hint = didYouMean(name, names) ?? `its steps are ${names.join(', ')}`;
      return [issue('GIVEN_STEP_UNKNOWN', `a result is given for "${name}", but the plan has no such step`, { hint })];
    }
    if (step.type === 'planning')
      return [issue('GIVEN_RESULT_INVALID', `"${name}" is a planning step, which takes no given result`)];
    const schema = resultOf(step, capabilities);
    const checked = schema === undefined ? undefined : contractOf(schema).check(value);
    if (checked === undefined || checked.ok) return [];
    const [first] = checked.error;
    return [
      issue('GIVEN_RESULT_INVALID', `the result given for "${name}" breaks its contract: ${first?.message ?? ''}`),
    ];
  });
}

const noPlan = issue('FRAGMENT_UNREADABLE', 'the plan has no steps', {
  hint: 'write {"steps": [{"name": "…", "capability": "…", "input": {…}}]}',
});
