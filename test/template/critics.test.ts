// How a template says who looks at its plans, and what is found wrong with that.
import { describe, expect, it } from 'vitest';
import { renderIssues } from '../../src/template/diagnostic.ts';
import { loadTemplate } from '../../src/template/load.ts';
import { parseYaml } from '../../src/template/parse/parse-yaml.ts';
import { declarations } from './declarations.ts';

const known = { priceOf: () => undefined, profiles: {}, env: {} };

function load(more: string, environment?: string) {
  const tree = parseYaml(
    `reconverge: 1
name: case
models: { cheap: { model: small, prices: { input: $1, output: $1 } }, dear: { model: large } }
steps:
  - { name: plan, type: planning, planner: { kind: lisp, source: !lisp "{:steps []}" }, goal: Look., convergence_target: end }
  - { name: end, type: deferred, after: plan }
${more}`,
    'a.yaml',
  );
  const result = loadTemplate(tree, declarations, new Map(), known, environment);
  if (!result.ok) return renderIssues(result.error, () => undefined);
  const { critic, criticModel } = result.value;
  return { critic, criticModel };
}

describe('the critic of a template', () => {
  it.each([
    ['', { critic: undefined, criticModel: undefined }],
    ['critic: on', { critic: undefined, criticModel: undefined }],
    ['critic: strict', { critic: 'strict', criticModel: undefined }],
    ['critic: { model: cheap }', { critic: undefined, criticModel: 'cheap' }],
    ['critic: { model: cheap, strict: true }', { critic: 'strict', criticModel: 'cheap' }],
  ])('is said as "%s"', (said, read) => {
    expect(load(said)).toEqual(read);
  });

  it('may be a model in a single environment', () => {
    const environments = 'environments: { llm: { critic: { model: cheap } } }';
    expect(load(environments)).toEqual({ critic: undefined, criticModel: undefined });
    expect(load(environments, 'llm')).toEqual({ critic: undefined, criticModel: 'cheap' });
  });

  it.each([
    ['critic: { model: chaep }', /MODEL_UNKNOWN: no model is named "chaep"/],
    ['critic: { model: dear }', /MODEL_UNPRICED/],
    ['critic: { strict: true }', /SHAPE_MISSING_KEY.*model/],
    ['critic: { model: cheap, scrict: true }', /scrict/],
    ['critic: loud', /off, on, strict, or \{ model, strict \}/],
  ])('is refused as "%s"', (said, why) => {
    expect(load(said)).toEqual(expect.stringMatching(why));
  });
});
