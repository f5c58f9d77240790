// Checks that agents and models are declared, and that models have prices when cost is limited.
import { counted } from '../../base/counted.ts';
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { didYouMean } from '../../base/nearest.ts';
import { isGranted } from '../../contract/grant.ts';
import type { ModelProfile } from '../../model/profile.ts';
import { defaultAgent } from '../keys/agent.ts';
import { fallbackCircle, matchesByWords, modelNamed, plannerModelOf, summaryFor } from '../model-use.ts';
import type { Scope } from '../scope.ts';
import type { PlannerSpec, StepSpec } from '../step-spec.ts';
import type { Template } from '../template.ts';
import { eachWork } from './paths.ts';
import { checkProviders } from './providers.ts';

/** The parts of a template that decide about the models and agents of a step. */
export type ModelSettings = Pick<Template, 'models' | 'agents' | 'budget' | 'allowsUnpriced' | 'context'>;

export function checkModels(
  template: ModelSettings & Pick<Template, 'capabilities' | 'repair' | 'criticModel' | 'embeddings'>,
  scope: Scope,
): readonly Issue[] {
  const { repair, context, criticModel } = template;
  return withoutModelOnce([
    ...checkTools(template),
    ...checkFallbacks(template),
    ...checkProviders(template),
    ...(context.strategy === 'summary' ? unlessAskable(context.model, template, ['context', 'strategy']) : []),
    ...(criticModel === undefined ? [] : unlessAskable(criticModel, template, ['critic', 'model'])),
    ...eachWork(scope, (step, at) => checkStepModels(step, template, at)),
    ...(repair === undefined ? [] : checkStepModels(repair, template, ['repair'])),
    ...checkEmbeddings(template, scope),
  ]);
}

/** Reports fallbacks that no profile has the name of, and profiles that fall back to themselves. */
function checkFallbacks({ models }: Pick<Template, 'models'>): readonly Issue[] {
  return Object.entries(models).flatMap(([name, { fallback }]) => {
    const path = ['models', name, 'fallback'];
    const unknown = fallback.flatMap((each, index) =>
      Object.hasOwn(models, each) ? [] : [unknownModel(each, models, [...path, index])],
    );
    const circle = fallbackCircle(models, name);
    // Each circle is reported once, at the first of its profiles.
    const isFirst = circle !== undefined && Object.keys(models).find((each) => circle.includes(each)) === name;
    return isFirst ? [...unknown, circular(circle, path)] : unknown;
  });
}

function circular(circle: readonly string[], path: readonly PathPart[]): Issue {
  return issue('FALLBACK_CIRCULAR', `the model "${circle[0]}" falls back to itself: ${circle.join(' → ')}`, {
    path,
    hint: 'remove one of these names from its fallback list',
  });
}

const NONE_CONFIGURED = 'and none is set up';

/** Reports a missing model once: configuring a model solves all these issues. */
function withoutModelOnce(issues: readonly Issue[]): readonly Issue[] {
  const [first, ...others] = issues.filter(({ message }) => message.endsWith(NONE_CONFIGURED));
  if (first === undefined || others.length === 0) return issues;
  const message = `this asks a model, as ${counted(others.length, 'other place does', 'other places do')}, ${NONE_CONFIGURED}`;
  return issues.filter((each) => !others.includes(each)).map((each) => (each === first ? { ...first, message } : each));
}

/** Checks the agent of a step, and the models of its agent, judge, planner and summary. */
export function checkStepModels(step: StepSpec, template: ModelSettings, at: readonly PathPart[]): readonly Issue[] {
  const { agent, judge, planning, capability } = step;
  const found: Issue[] = [];
  if (agent !== undefined) {
    const declared = agent.own ?? agentNamed(template, agent.name);
    const path = [...at, 'agent'];
    if (capability !== undefined && capability !== agent.name) found.push(twice(step.name, path));
    if (declared === undefined) found.push(unknownAgent(agent.name, template, path));
    else found.push(...unlessAskable(declared.model, template, path));
  }
  if (judge !== undefined) found.push(...unlessAskable(judge.model, template, [...at, 'judge']));
  const planner = planning?.planner;
  const asked = plannerModelOf(planner);
  const goesWithout = asked?.isOptional === true && Object.keys(template.models).length === 0;
  if (asked !== undefined && !goesWithout) found.push(...unlessAskable(asked.model, template, [...at, 'planner']));
  const writer = step.context === undefined ? undefined : summaryFor(template, step);
  if (writer !== undefined) found.push(...unlessAskable(writer.model, template, [...at, 'context']));
  if (planner !== undefined) found.push(...checkKinds(planner, template, [...at, 'planner', 'kinds']));
  return found;
}

/** Checks the agents of a planner's kinds of tasks. */
function checkKinds(planner: PlannerSpec, template: ModelSettings, at: readonly PathPart[]): readonly Issue[] {
  if (planner.kind !== 'pattern' && planner.kind !== 'hybrid') return [];
  return Object.entries(planner.kinds).flatMap(([kind, { agent }]) =>
    agent === undefined || agentNamed(template, agent) !== undefined
      ? []
      : [unknownAgent(agent, template, [...at, kind, 'agent'])],
  );
}

export function agentNamed({ agents }: Pick<Template, 'agents'>, name: string): Template['agents'][string] | undefined {
  if (Object.hasOwn(agents, name)) return agents[name];
  return name === defaultAgent.name ? defaultAgent : undefined;
}

function unlessAskable(name: string | undefined, template: ModelSettings, path: readonly PathPart[]): readonly Issue[] {
  const { models } = template;
  const model = modelNamed(models, name);
  if (model === undefined) return [unknownModel(name, models, path)];
  if (model.profile.model.includes('${')) return [unsetModel(model.name, model.profile, path)];
  const asked = [model, ...(model.fallbacks ?? [])].filter(({ profile }) => isUnpriced(profile, template));
  return asked.map((each) => unpriced(each.profile, path, `models.${each.name}`, MODEL_PRICES));
}

function isUnpriced({ price }: Pick<ModelProfile, 'price'>, { budget, allowsUnpriced }: ModelSettings): boolean {
  return price === undefined && budget.limit.cost_usd !== undefined && !allowsUnpriced;
}

/** Checks the embeddings model if any planner uses it. */
function checkEmbeddings(
  template: ModelSettings & Pick<Template, 'embeddings' | 'repair'>,
  { steps }: Scope,
): readonly Issue[] {
  const { embeddings, repair } = template;
  const planners = [...steps, ...(repair === undefined ? [] : [repair])];
  if (embeddings === undefined || !planners.some(({ planning }) => matchesByWords(planning?.planner))) return [];
  const path = ['embeddings'];
  if (embeddings.model.includes('${')) return [unsetModel('embeddings', embeddings, path)];
  return isUnpriced(embeddings, template) ? [unpriced(embeddings, path, 'embeddings', EMBEDDINGS_PRICES)] : [];
}

function unknownModel(
  name: string | undefined,
  models: Readonly<Record<string, ModelProfile>>,
  path: readonly PathPart[],
): Issue {
  const names = Object.keys(models);
  if (names.length === 0) {
    return issue('MODEL_NOT_CONFIGURED', `this asks a model, ${NONE_CONFIGURED}`, {
      path,
      hint: 'set OPENAI_API_KEY (or OPENAI_BASE_URL) and RECONVERGE_MODEL, or declare one under models:',
    });
  }
  if (name === undefined) {
    return issue('MODEL_UNKNOWN', `no model is named here, and no profile is called "default"`, {
      path,
      hint: `name one of ${names.join(', ')} with "model", or call one of them default`,
    });
  }
  return issue('MODEL_UNKNOWN', `no model is named "${name}"`, {
    path,
    hint: didYouMean(name, names) ?? `choose from ${names.join(', ')}`,
  });
}

function unsetModel(name: string, { model }: Pick<ModelProfile, 'model'>, path: readonly PathPart[]): Issue {
  return issue('MODEL_NOT_CONFIGURED', `the model "${name}" is ${model}, but the variable is not set`, {
    path,
    hint: 'set the variable, or give a default: ${env.NAME:-gpt-5-mini}',
  });
}

const MODEL_PRICES = 'models: prices: { input: $0.25, output: $2.00 }';
const EMBEDDINGS_PRICES = 'embeddings: prices: { input: $0.02 }';

function unpriced(
  { model }: Pick<ModelProfile, 'model'>,
  path: readonly PathPart[],
  where: string,
  prices: string,
): Issue {
  return issue('MODEL_UNPRICED', `the price of "${model}" (${where}) is not known, and cost is limited`, {
    path,
    hint: `set it under ${prices} (per million tokens; $0 where it costs nothing), or budget: { unpriced: allow }`,
  });
}

function unknownAgent(name: string, { agents }: ModelSettings, path: readonly PathPart[]): Issue {
  const names = [...Object.keys(agents), defaultAgent.name];
  return issue('AGENT_UNKNOWN', `no agent is named "${name}"`, {
    path,
    hint: didYouMean(name, names) ?? `declare it under agents:, or choose from ${names.join(', ')}`,
  });
}

function twice(step: string, path: readonly PathPart[]): Issue {
  return issue('AGENT_AND_HANDLER', `step "${step}" names both an agent and a capability`, {
    path,
    hint: 'remove one of them; an agent calls capabilities through its tools',
  });
}

/** Reports tools of agents that no source grants. */
function checkTools({ agents, capabilities }: Pick<Template, 'agents' | 'capabilities'>): readonly Issue[] {
  const names = Object.keys(capabilities);
  return Object.values(agents).flatMap(({ name, tools }) =>
    tools.flatMap((tool, index) =>
      names.some((each) => isGranted(each, [tool], []))
        ? []
        : [
            issue(
              'CAPABILITY_UNKNOWN',
              `agent "${name}" needs the tool "${tool}", but no granted capability has that name`,
              {
                path: ['agents', name, 'tools', index],
                hint: didYouMean(tool, names),
              },
            ),
          ],
    ),
  );
}
