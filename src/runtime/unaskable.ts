// The models that a run asks and that cannot be reached: found before it begins or goes on, not when it is half done.
import { type Issue, issue } from '../base/issue.ts';
import { isTerminal, type RunState } from '../engine/state.ts';
import { connect } from '../llm/connection.ts';
import type { Model } from '../llm/model.ts';
import { criticModelOf } from '../template/critic-model.ts';
import { modelAskedBy } from '../template/model-asked.ts';
import { modelNamed, type NamedModel } from '../template/model-named.ts';
import type { StepSpec } from '../template/step-spec.ts';
import { summaryFor } from '../template/summary-for.ts';
import type { Template } from '../template/template.ts';
import type { Boundary } from './boundary.ts';

export function unaskable(
  template: Template,
  boundary: Boundary,
  given: Readonly<Record<string, Model>>,
): readonly Issue[] {
  return unreachable(askedBy(template), boundary, given);
}

/** By what is left to do of a run that goes on: it would fail for good, where it can wait. */
export function unaskableStill(
  { steps, template }: RunState,
  boundary: Boundary,
  given: Readonly<Record<string, Model>>,
): readonly Issue[] {
  const left = [...steps.values()].filter((step) => !isTerminal(step));
  return unreachable(
    left.flatMap(({ spec }) => modelsOf(spec, template)),
    boundary,
    given,
  );
}

/** Of these models, each once. */
export function unreachable(
  models: readonly NamedModel[],
  boundary: Boundary,
  given: Readonly<Record<string, Model>>,
): readonly Issue[] {
  const asked = new Map(models.map((model) => [model.name, model.profile]));
  return [...asked].flatMap(([name, profile]) => {
    if (Object.hasOwn(given, name)) return [];
    const connected = connect(name, profile, boundary);
    if (connected.ok) return [];
    const { code, message } = connected.failure;
    return [issue(code, message, { path: ['models', name] })];
  });
}

/** By the steps that the author wrote: what planners will ask for is not known yet. */
function askedBy(template: Template): readonly NamedModel[] {
  const { repair } = template;
  return [...template.steps, ...(repair === undefined ? [] : [repair])].flatMap((step) => modelsOf(step, template));
}

function modelsOf(step: StepSpec, template: Template): readonly NamedModel[] {
  const { agent, judge, planning, fanOut } = step;
  const { models, agents } = template;
  const own = agent === undefined ? undefined : (agent.own ?? agents[agent.name]);
  const asked = modelAskedBy(planning?.planner);
  const writer = summaryFor(template, step);
  return [
    ...(agent === undefined ? [] : [modelNamed(models, own?.model)]),
    ...(judge === undefined ? [] : [modelNamed(models, judge.model)]),
    ...(asked === undefined ? [] : [modelNamed(models, asked.model)]),
    ...(writer === undefined ? [] : [modelNamed(models, writer.model)]),
    ...(planning === undefined ? [] : [criticModelOf(template)]),
    ...(fanOut === undefined ? [] : modelsOf(fanOut.do, template)),
  ].filter((model) => model !== undefined);
}
