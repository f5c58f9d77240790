// Finds the models of a run that cannot be reached, before the run begins or goes on.
import type { Failure } from '../../base/failure.ts';
import { type Issue, issue } from '../../base/issue.ts';
import { isTerminal, type RunState } from '../../engine/state/state.ts';
import { connect } from '../../llm/connection.ts';
import type { Embedder } from '../../llm/embedder.ts';
import type { Model } from '../../llm/model.ts';
import {
  criticModelOf,
  matchesByWords,
  modelNamed,
  type NamedModel,
  plannerModelOf,
  summaryFor,
} from '../../template/model-use.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Template } from '../../template/template.ts';
import type { Boundary } from '../ports/boundary.ts';

/** Models and an embedder that answer instead of servers. */
interface ModelAnswerers {
  readonly models: Readonly<Record<string, Model>>;
  readonly embedder: Embedder | undefined;
}

export function unreachableModels(template: Template, boundary: Boundary, given: ModelAnswerers): readonly Issue[] {
  const { steps, repair } = template;
  return [
    ...unanswered([...steps, ...(repair === undefined ? [] : [repair])], template, boundary, given),
    ...startedBy(template).flatMap((each) => unreachableModels(each, boundary, given)),
  ];
}

/** The templates that its steps call. */
function startedBy({ steps, templates = {} }: Template): readonly Template[] {
  const called = new Set(steps.flatMap(({ capability, fanOut }) => [capability, fanOut?.do.capability]));
  return Object.entries(templates).flatMap(([name, { template }]) => (called.has(name) ? [template] : []));
}

/** The unreachable models of unfinished steps. Resuming without them would fail steps that can wait. */
export function unreachableModelsLeft(
  { steps, template }: RunState,
  boundary: Boundary,
  given: ModelAnswerers,
): readonly Issue[] {
  const left = [...steps.values()].filter((step) => !isTerminal(step));
  return unanswered(
    left.map(({ spec }) => spec),
    template,
    boundary,
    given,
  );
}

/** Models that only a later plan will name cannot be checked yet. */
function unanswered(
  steps: readonly StepSpec[],
  template: Template,
  boundary: Boundary,
  { models, embedder }: ModelAnswerers,
): readonly Issue[] {
  const asked = steps.flatMap((step) => modelsOf(step, template));
  const { embeddings } = template;
  const isCompared = embedder === undefined && steps.some(({ planning }) => matchesByWords(planning?.planner));
  const connected = isCompared && embeddings !== undefined ? connect('embeddings', embeddings, boundary) : undefined;
  return [
    ...unreachableAmong(asked, boundary, models),
    ...(connected === undefined || connected.ok ? [] : [unset(connected.error, ['embeddings'])]),
  ];
}

/** One issue for each of these models that cannot be reached. */
export function unreachableAmong(
  models: readonly NamedModel[],
  boundary: Boundary,
  given: Readonly<Record<string, Model>>,
): readonly Issue[] {
  const all = models.flatMap((model) => [model, ...(model.fallbacks ?? [])]);
  const asked = new Map(all.map((model) => [model.name, model.profile]));
  return [...asked].flatMap(([name, profile]) => {
    // Modules of models are loaded with the template.
    if (Object.hasOwn(given, name) || profile.provider === 'ai-sdk') return [];
    const connected = connect(name, profile, boundary);
    return connected.ok ? [] : [unset(connected.error, ['models', name])];
  });
}

function unset({ code, message }: Failure, path: readonly string[]): Issue {
  return issue(code, message, { path });
}

function modelsOf(step: StepSpec, template: Template): readonly NamedModel[] {
  const { agent, judge, planning, fanOut } = step;
  const { models, agents } = template;
  const own = agent === undefined ? undefined : (agent.own ?? agents[agent.name]);
  const asked = plannerModelOf(planning?.planner);
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
