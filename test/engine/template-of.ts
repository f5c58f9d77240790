// Templates for engine tests and benches, from sketches that state only what matters.
import { digestOf } from '../../src/base/digest.ts';
import type { Json } from '../../src/base/json.ts';
import { defaultRunBudget, type RunBudget } from '../../src/budget/limits.ts';
import type { Declaration } from '../../src/contract/declaration.ts';
import type { EffectsPolicy } from '../../src/contract/effects-policy.ts';
import type { ModelProfile } from '../../src/model/profile.ts';
import { type AgentSpec, TURNS } from '../../src/template/keys/agent.ts';
import type { PlanningSpec, StepSpec } from '../../src/template/step-spec.ts';
import type { Template } from '../../src/template/template.ts';
import { profileOf } from '../profile-of.ts';

export type StepSketch = Partial<Omit<StepSpec, 'planning'>> & {
  readonly name: string;
  readonly after?: readonly string[];
  readonly planning?: Partial<PlanningSpec> & { readonly target: string };
};

export function stepOf({ name, after = [], planning, ...rest }: StepSketch): StepSpec {
  const type = rest.type ?? (planning === undefined ? 'task' : 'planning');
  return {
    name,
    dependencies: after,
    implied: [],
    onVerificationFailure: 'stop',
    onFailure: 'stop',
    retry: { maxAttempts: 1, backoff: 'none', base: 0, max: 0, jitter: 0 },
    critical: true,
    timeout: 30_000,
    maxDeliveries: 3,
    ...(type === 'task' && rest.agent === undefined ? { capability: 'work' } : {}),
    ...rest,
    type,
    ...(planning === undefined
      ? {}
      : {
          planning: { ...plansNothing, ...planning },
        }),
  };
}

/** A planner whose plans are unknown before a run; worlds answer for it. */
const plansNothing: PlanningSpec = {
  planner: { kind: 'lisp', source: { $lisp: '{:steps []}' } },
  allow: [],
  deny: [],
  constraints: [],
  maxAttempts: 3,
};

/** A template's own repair planner. */
export function repairOf(planning: Partial<PlanningSpec> = {}): StepSpec {
  return { ...stepOf({ name: 'repair', type: 'planning' }), planning: { ...plansNothing, ...planning } };
}

export const work: Declaration = {
  name: 'work',
  description: 'Does some work.',
  effects: ['compute'],
  tags: [],
  cost: {},
};

/** A model that costs a micro-dollar a token, and answers with 100 tokens at most. */
export const thinker: ModelProfile = profileOf({
  model: 'thinker',
  maxOutputTokens: 100,
  minOutputTokens: 10,
  timeout: 60_000,
  price: { input: 1_000_000, output: 1_000_000 },
});

export function agentOf(agent: Partial<AgentSpec> & { readonly name: string }): AgentSpec {
  return { prompt: 'You help.', tools: [], maxTurns: TURNS, ...agent };
}

export interface TemplateSketch {
  readonly steps: readonly StepSketch[];
  readonly budget?: Partial<RunBudget>;
  readonly output?: Json;
  readonly failFast?: boolean;
  readonly capabilities?: readonly Declaration[];
  readonly concurrency?: number;
  readonly effects?: EffectsPolicy;
  readonly missing?: Template['missing'];
  readonly models?: Readonly<Record<string, ModelProfile>>;
  readonly agents?: readonly AgentSpec[];
  readonly context?: Template['context'];
  readonly pattern?: Template['pattern'];
  readonly critic?: Template['critic'];
  readonly criticModel?: string;
  readonly embeddings?: Template['embeddings'];
}

export function templateOf({
  steps,
  budget,
  output,
  failFast = false,
  capabilities = [work],
  concurrency = 10,
  effects = { allowed: ['write'], denied: [], approval: [] },
  missing = [],
  models = {},
  agents = [],
  pattern,
  critic,
  criticModel,
  embeddings,
  context = { strategy: 'contract', maxTokens: 4_000 },
}: TemplateSketch): Template {
  const whole = {
    language: 1 as const,
    name: 'test',
    file: 'test.yaml',
    budget: { ...defaultRunBudget, ...budget },
    budgetKeys: [],
    context,
    constraints: [],
    contextTags: [],
    concurrency: { max: concurrency, keys: {} },
    failFast,
    effects,
    ...(missing.length === 0 ? {} : { missing }),
    roots: [],
    sources: [],
    limits: { lisp: {}, resultBytes: 1_000_000 },
    models,
    agents: Object.fromEntries(agents.map((each) => [each.name, each])),
    skills: [],
    capabilities: Object.fromEntries(capabilities.map((each) => [each.name, each])),
    steps: steps.map(stepOf),
    ...(output === undefined ? {} : { output }),
    ...(pattern === undefined ? {} : { pattern }),
    ...(critic === undefined ? {} : { critic }),
    ...(criticModel === undefined ? {} : { criticModel }),
    ...(embeddings === undefined ? {} : { embeddings }),
  };
  return { ...whole, digest: digestOf(JSON.parse(JSON.stringify(whole))) };
}
