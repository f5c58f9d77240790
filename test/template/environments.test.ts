// Environments: what an overlay changes, what it leaves, and where what is wrong with it is shown.
import { describe, expect, it } from 'vitest';
import type { Result } from '../../src/base/result.ts';
import { renderIssues } from '../../src/template/diagnostic.ts';
import { loadTemplate } from '../../src/template/load.ts';
import { parseJson } from '../../src/template/parse/parse-json.ts';
import { parseYaml } from '../../src/template/parse/parse-yaml.ts';
import type { Template } from '../../src/template/template.ts';
import { declarations } from './declarations.ts';

const known = {
  priceOf: (model: string) => (model === 'gpt-5-mini' ? { input: 250_000, output: 2_000_000 } : undefined),
  profiles: {},
  env: { PICKED: 'gpt-5-mini', EMPTY: '' },
};

const base = `reconverge: 1
name: case
budget: { max_total_steps: 20, max_cost_budget: $1.00 }
steps:
  - name: ingest
    tool: { callable: files.list, initialization: { folder: z, depth: 1 } }
    timeout: 10s
    input: { folder: a, depth: 3 }
  - name: plan
    type: planning
    after: ingest
    planner: { kind: lisp, source: !lisp "{:steps []}" }
    goal: Look.
    convergence_target: each
  - name: each
    type: fan_out
    after: plan
    for_each: [a]
    do: { handler: report.write, timeout: 5s, input: { format: html } }
environments:
`;

function load(environments: string, name?: string, includes: Readonly<Record<string, string>> = {}): Result<Template> {
  const parsed = new Map(Object.entries(includes).map(([file, text]) => [file, parseYaml(text, file)]));
  const include = parsed.size === 0 ? '' : `include: [${[...parsed.keys()].join(', ')}]\n`;
  return loadTemplate(parseYaml(`${include}${base}${environments}`, 'a.yaml'), declarations, parsed, known, name);
}

function loaded(...given: Parameters<typeof load>): Template {
  const result = load(...given);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

function said(...given: Parameters<typeof load>): string {
  const result = load(...given);
  const { lines } = parseYaml(`${base}${given[0]}`, 'a.yaml');
  return renderIssues(result.ok ? result.warnings : result.error, (file) => (file === 'a.yaml' ? lines : undefined));
}

const step = (template: Template, name: string) => template.steps.find((each) => each.name === name);

const llm = `  llm:
    models: { default: { model: gpt-5-mini } }
    budget: { max_total_llm_calls: 3 }
    constraints: Be brief.
    steps:
      plan: { planner: { kind: llm } }
`;

describe('an environment', () => {
  it('changes nothing for runs without it', () => {
    expect(loaded(llm).digest).toBe(loaded('  other: {}\n').digest);
    expect(step(loaded(llm), 'plan')?.planning?.planner?.kind).toBe('lisp');
  });

  it('is merged into the template, and changes its digest', () => {
    const template = loaded(llm, 'llm');
    expect(template).toMatchObject({
      environment: 'llm',
      models: { default: { model: 'gpt-5-mini' } },
      budget: { limit: { steps: 20, llm_calls: 3 } },
      constraints: ['Be brief.'],
    });
    expect(step(template, 'plan')?.planning?.planner).toEqual({ kind: 'llm' });
    expect(step(template, 'plan')?.planning?.goal).toBe('Look.');
    expect(template.digest).not.toBe(loaded(llm).digest);
    expect(loaded('  same: {}\n', 'same').digest).not.toBe(loaded('  other: {}\n', 'other').digest);
  });

  it('merges maps key by key, and replaces other values', () => {
    const template = loaded(
      '  test: { steps: { ingest: { input: { folder: c }, handler: { initialization: { depth: 2 } }, retry: { max_attempts: 2 } } } }\n',
      'test',
    );
    expect(step(template, 'ingest')).toMatchObject({
      capability: 'files.list',
      initialization: { folder: 'z', depth: 2 },
      input: { folder: 'c', depth: 3 },
      timeout: 10_000,
      retry: { maxAttempts: 2 },
    });
  });

  it('may replace the capability of a step by another one or by an agent, without the old settings', () => {
    const called = loaded('  test: { steps: { ingest: { handler: report.write } } }\n', 'test');
    expect(step(called, 'ingest')).toMatchObject({ capability: 'report.write' });
    expect(step(called, 'ingest')?.initialization).toBeUndefined();
    const asked = loaded(
      '  test: { models: { default: { model: gpt-5-mini } }, steps: { ingest: { agent: default } } }\n',
      'test',
    );
    expect(step(asked, 'ingest')).toMatchObject({ agent: { name: 'default' } });
    expect(step(asked, 'ingest')?.capability).toBeUndefined();
  });

  it('changes the item step of a fan_out', () => {
    const template = loaded('  test: { steps: { each: { max_width: 3, do: { timeout: 1m } } } }\n', 'test');
    expect(step(template, 'each')?.fanOut).toMatchObject({
      maxWidth: 3,
      do: { capability: 'report.write', timeout: 60_000 },
    });
  });

  it('changes a planner that several steps name', () => {
    const named = base.replace('planner: { kind: lisp, source: !lisp "{:steps []}" }', 'planner: careful');
    const planners = 'planners: { careful: { kind: lisp, source: !lisp "{:steps []}" } }\n';
    const over = '  test: { models: { default: { model: gpt-5-mini } }, planners: { careful: { kind: llm } } }\n';
    const parsed = parseYaml(`${planners}${named}${over}`, 'a.yaml');
    const result = loadTemplate(parsed, declarations, new Map(), known, 'test');
    expect(result.ok && step(result.value, 'plan')?.planning?.planner).toEqual({ kind: 'llm' });
  });

  it('changes steps, agents and models in the file that declares them', () => {
    const common = `agents: { clerk: { prompt: Write., max_turns: 2 } }
models: { default: { model: gpt-5-mini, temperature: 1 } }
steps: [{ name: write, agent: clerk, after: each }]
`;
    const environments =
      '  test: { agents: { clerk: { max_turns: 9 } }, models: { default: { temperature: 0 } }, steps: { write: { timeout: 1m } } }\n';
    const template = loaded(environments, 'test', { 'common.yaml': common });
    expect(template.agents).toMatchObject({ clerk: { prompt: 'Write.', maxTurns: 9 } });
    expect(template.models).toMatchObject({ default: { model: 'gpt-5-mini', temperature: 0 } });
    expect(step(template, 'write')?.timeout).toBe(60_000);
  });

  it('also changes a template in JSON', () => {
    const document = {
      reconverge: 1,
      name: 'case',
      steps: [{ name: 'a', handler: 'report.write' }],
      environments: { slow: { steps: { a: { timeout: '2m' } } } },
    };
    const parsed = parseJson(JSON.stringify(document), 'a.json');
    const result = loadTemplate(parsed, declarations, new Map(), known, 'slow');
    expect(result).toMatchObject({ ok: true, value: { steps: [{ timeout: 120_000 }] } });
  });
});

describe('an issue of an environment', () => {
  it('is ENVIRONMENT_UNKNOWN for an undeclared environment, with a hint', () => {
    expect(said(llm, 'lmm')).toContain('ENVIRONMENT_UNKNOWN: there is no environment "lmm"');
    expect(said(llm, 'lmm')).toContain('did you mean "llm"?');
    expect(said(llm, 'production')).toContain('choose from llm');
  });

  it('is also found in environments that are not chosen, with a hint', () => {
    const found = said('  llm: { steps: { plann: {}, each: { tmeout: 1m, dependencies: [] } } }\n');
    expect(found).toContain('a.yaml:21:19: error ENVIRONMENT_STEP_UNKNOWN: step "plann" of environment "llm"');
    expect(found).toContain('did you mean "plan"?');
    expect(found).toContain('did you mean "timeout"?');
    expect(found).toContain('an environment cannot change the dependencies');
  });

  it('is reported once, at its place in the environment', () => {
    const found = said('  llm: { steps: { ingest: { timeout: soon } } }\n', 'llm');
    expect(found.match(/error/g)).toHaveLength(1);
    expect(found).toContain('a.yaml:21:38: error SHAPE_WRONG_VALUE: "timeout" must be a duration');
  });

  it('is shown at its place in the environment when only the merged template has it', () => {
    const found = said('  llm:\n    steps:\n      plan:\n        planner: { kind: llm, model: big }\n', 'llm');
    expect(found).toContain('a.yaml:24:18: error MODEL_NOT_CONFIGURED');
    const lisp = said(
      '  other:\n    steps:\n      plan:\n        planner: { kind: lisp, source: !lisp "(undefined-word)" }\n',
      'other',
    );
    expect(lisp).toMatch(/^a\.yaml:24:\d+: error LISP_/);
    const merged = said('  other:\n    steps:\n      plan:\n        planner: { model: big }\n', 'other');
    expect(merged).toMatch(/^a\.yaml:24:20: error SHAPE_KEY_MISPLACED: "model" has no meaning/);
  });
});

describe('the model of a profile', () => {
  const named = (model: string) =>
    `  llm: { models: { default: { model: "${model}" } }, steps: { plan: { planner: { kind: llm } } } }\n`;

  it('is taken from a variable, or from the default behind it', () => {
    const model = (text: string) => loaded(named(text), 'llm').models.default;
    const { price } = model('gpt-5-mini') ?? {};
    expect(price).toBeDefined();
    for (const text of ['${env.PICKED}', '${env.ABSENT:-gpt-5-mini}', '${env.EMPTY:-gpt-5-mini}'])
      expect(model(text)).toMatchObject({ model: 'gpt-5-mini', price });
  });

  it('is MODEL_NOT_CONFIGURED when the variable is not set and has no default', () => {
    expect(said(named('${env.ABSENT}'), 'llm')).toContain('MODEL_NOT_CONFIGURED: the model "default" is ${env.ABSENT}');
  });
});
