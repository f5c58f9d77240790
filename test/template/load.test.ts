// Text to template: what is filled in, what is bound, what the digest depends on.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadTemplate, readHeader } from '../../src/template/load.ts';
import { parseJson } from '../../src/template/parse/parse-json.ts';
import { parseYaml } from '../../src/template/parse/parse-yaml.ts';
import type { ParsedDocument } from '../../src/template/parse/tree.ts';
import type { Template } from '../../src/template/template.ts';
import { declarations } from './declarations.ts';

const good = readFileSync(join(import.meta.dirname, 'cases/good.yaml'), 'utf8');

function load(text: string, includes: Readonly<Record<string, string>> = {}): Template {
  const loaded = loadTemplate(parseYaml(text, 'a.yaml'), declarations, parsedAll(includes));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  return loaded.value;
}

function parsedAll(texts: Readonly<Record<string, string>>): ReadonlyMap<string, ParsedDocument> {
  return new Map(Object.entries(texts).map(([file, text]) => [file, parseYaml(text, file)]));
}

function codes(text: string, includes: Readonly<Record<string, string>> = {}): readonly string[] {
  const loaded = loadTemplate(parseYaml(text, 'a.yaml'), declarations, parsedAll(includes));
  return (loaded.ok ? loaded.warnings : loaded.error).map((each) => each.code);
}

const steps = (text: string) => load(`reconverge: 1\nname: case\nsteps:\n${text}`).steps;
const only = (fields: string) => steps(`  - { name: a, handler: report.write, ${fields} }\n`)[0];

describe('loading a template', () => {
  it('reads each limit of Lisp', () => {
    const written = 'fuel: 1, cells: 2, depth: 3, text: 4, output: 5, nesting: 6, source: 7, deadline: 8ms';
    const template = load(`reconverge: 1\nname: case\nlimits: { lisp: { ${written} } }\nsteps: []\n`);
    expect(template.limits.lisp).toEqual({
      fuel: 1,
      cells: 2,
      depth: 3,
      text: 4,
      output: 5,
      nesting: 6,
      source: 7,
      deadline: 8,
    });
  });

  it('reads quantities and fills in defaults', () => {
    const template = load(
      'reconverge: 1\nname: case\nbudget: { max_cost_budget: $1.50, max_wall_clock_time: 90s }\nsteps: []\n',
    );
    expect(template.budget).toEqual({
      limit: { phases: 5, steps: 100, llm_calls: 10, cost_usd: 1_500_000, replans: 5 },
      wallClock: 90_000,
      planningDepth: 3,
      fragmentSteps: 20,
      fragmentDepth: 8,
      fanOut: 10,
      landingReserve: 10,
      warnAt: 80,
    });
    expect(template.budgetKeys).toEqual(['max_cost_budget', 'max_wall_clock_time']);
    expect(template).toMatchObject({
      context: { strategy: 'contract', maxTokens: 4_000 },
      concurrency: { max: 10, keys: {} },
      failFast: false,
    });
  });

  it('fills in the defaults of a step', () => {
    expect(only('')).toMatchObject({
      type: 'task',
      dependencies: [],
      onFailure: 'stop',
      onVerificationFailure: 'stop',
      critical: true,
      timeout: 30_000,
      maxDeliveries: 3,
    });
  });

  it.each([
    ['', 1],
    ['retry: {}', 3],
    ['retry: { max_attempts: 5 }', 5],
    ['retry: { max_retries: 0 }', 1],
    ['max_retries: 2', 3],
    ['on_failure: retry', 3],
    ['on_failure: retry, max_retries: 1', 2],
    ['on_verification_failure: retry', 3],
    ['on_failure: skip', 1],
  ])('gives a step with { %s } %i attempts', (fields, attempts) => {
    expect(only(fields)?.retry.maxAttempts).toBe(attempts);
  });

  it('replaces aliases of keys and types', () => {
    const [, second, third] = steps(
      '  - { name: a, handler: report.write }\n  - { name: b, tool: report.write, after: a, type: standard }\n  - { name: c, type: deferred_convergence, requires: [b], result_schema: { type: object } }\n',
    );
    expect(second).toMatchObject({ type: 'task', capability: 'report.write', dependencies: ['a'] });
    expect(third).toMatchObject({ type: 'deferred', dependencies: ['b'], output: { type: 'object' } });
  });

  it('makes a referenced step an implied dependency', () => {
    const [, second] = steps(
      '  - { name: a, handler: files.list, input: { folder: x } }\n  - { name: b, handler: report.write, input: { all: "{{ results.a }}", one: "see {{ results.a.files.0 }}" } }\n',
    );
    expect(second).toMatchObject({ dependencies: ['a'], implied: ['a'] });
  });

  it('makes steps dependencies that Lisp refers to', () => {
    const [, when, expr] = steps(
      '  - { name: a, handler: files.list, input: { folder: x } }\n  - { name: b, handler: report.write, when: (pos? (count (:files (:a data/results)))) }\n  - { name: c, type: compute, expr: !lisp "(get-in data/results [\\"a\\" \\"files\\"])" }\n',
    );
    expect(when?.implied).toEqual(['a']);
    expect(expr?.implied).toEqual(['a']);
  });

  it('gives targets the policy all_success, and planning steps all_settled', () => {
    const plan = (name: string, after: string, target: string) =>
      `  - { name: ${name}, type: planning, planner: { kind: fixed, fragment: { steps: [] } }, after: [${after}], convergence_target: ${target} }\n`;
    const [first, second, last] = steps(
      `${plan('p1', '', 'p2')}${plan('p2', 'p1', 'end')}  - { name: end, handler: report.write, after: p2 }\n`,
    );
    expect(first?.convergence).toBeUndefined();
    expect(second?.convergence).toEqual({ policy: 'all_settled', early: false, onExhaustion: 'converge' });
    expect(last?.convergence).toEqual({ policy: 'all_success', early: false, onExhaustion: 'converge' });
  });

  it('reads a quorum as a count or as a percentage', () => {
    const [, counted] = steps(
      '  - { name: b, type: compute, expr: !lisp "1" }\n  - { name: a, type: deferred, dependencies: [b], convergence: { policy: quorum, min: 1 } }\n',
    );
    expect(counted?.convergence?.min).toEqual({ count: 1 });
    expect(only('convergence: { policy: quorum, min: 60% }')?.convergence?.min).toEqual({ percent: 60 });
    expect(
      codes(
        'reconverge: 1\nname: c\nsteps:\n  - { name: a, handler: report.write, convergence: { policy: quorum } }\n',
      ),
    ).toEqual(['SHAPE_MISSING_KEY']);
  });

  it.each([
    ['10/s', { count: 10, per: 1_000 }],
    ['100 / m', { count: 100, per: 60_000 }],
    ['5/10s', { count: 5, per: 10_000 }],
  ])('reads the rate %s', (rate, read) => {
    const text = `reconverge: 1\nname: t\nconcurrency: { keys: { api: { rate: ${rate} } } }\nsteps: [{ name: a, type: compute, expr: "1" }]\n`;
    expect(load(text).concurrency.keys).toEqual({ api: { rate: read } });
  });

  it('keeps the place of every step and expression', () => {
    const [, planning] = load(good).steps;
    expect(planning?.place).toMatchObject({ file: 'a.yaml', line: 21, column: 11 });
    const planner = planning?.planning?.planner;
    expect(planner?.kind === 'lisp' && planner.source.place).toMatchObject({ line: 26 });
  });

  it('reports nothing for a valid template', () => {
    expect(codes(good)).toEqual([]);
  });

  it('reads the same template from JSON', () => {
    const { tree } = parseYaml(good, 'a.yaml');
    const fromJson = loadTemplate(parseJson(JSON.stringify(tree?.value), 'a.json'), declarations);
    expect(fromJson.ok && fromJson.value.digest).toBe(load(good).digest);
  });
});

describe('the digest of a template', () => {
  it('is independent of layout, comments and the order of keys', () => {
    const shuffled = good.replace('reconverge: 1\n', '').replace('steps:\n', '# a comment\nreconverge: 1\nsteps:\n\n');
    expect(load(shuffled).digest).toBe(load(good).digest);
  });

  it('changes with the meaning of the template', () => {
    expect(load(good.replace('max_total_steps: 100', 'max_total_steps: 99')).digest).not.toBe(load(good).digest);
    expect(load(good.replace('{ format: markdown }', '{ format: html }')).digest).not.toBe(load(good).digest);
  });

  it('changes with the declarations of capabilities', () => {
    const changed = { ...declarations, extra: { name: 'extra', description: '', effects: [], tags: [], cost: {} } };
    const loaded = loadTemplate(parseYaml(good, 'a.yaml'), changed);
    expect(loaded.ok && loaded.value.digest).not.toBe(load(good).digest);
  });
});

describe('included files', () => {
  const main =
    'reconverge: 1\nname: case\ninclude: [./more.yaml]\nsteps:\n  - { name: a, handler: report.write, after: shared }\n';

  it('add their steps to the template', () => {
    const template = load(main, { './more.yaml': 'steps:\n  - { name: shared, handler: report.write }\n' });
    expect(template.steps.map((step) => step.name)).toEqual(['a', 'shared']);
    expect(template.steps[1]?.place).toMatchObject({ file: './more.yaml', line: 2 });
  });

  it('have issues with places in their own text', () => {
    const more = 'steps:\n  - { name: shared, handler: report.write, after: nowhere, tiemout: 3s }\n';
    const loaded = loadTemplate(parseYaml(main, 'a.yaml'), declarations, parsedAll({ './more.yaml': more }));
    expect(loaded.ok ? [] : loaded.error.map((each) => [each.code, each.place?.file, each.place?.column])).toEqual([
      ['SHAPE_UNKNOWN_KEY', './more.yaml', 60],
      ['DEPENDENCY_UNKNOWN', './more.yaml', 51],
    ]);
  });

  it('cannot include other files', () => {
    expect(
      codes(main, { './more.yaml': 'include: [./x.yaml]\nsteps:\n  - { name: shared, handler: report.write }\n' }),
    ).toEqual(['SHAPE_UNKNOWN_KEY']);
  });
});

describe('the header of a template', () => {
  it('names sources and included files before anything is checked', () => {
    const text =
      'capabilities: [catalog, ./handlers.ts, { mcp: { name: x, url: http://localhost/ } }]\ninclude: ./more.yaml\nnonsense: 1\n';
    expect(readHeader(parseYaml(text, 'a.yaml').tree)).toEqual({
      sources: [
        'catalog',
        './handlers.ts',
        { mcp: { name: 'x', connectTimeout: 30_000, url: 'http://localhost/', headers: {} } },
      ],
      models: true,
      includes: ['./more.yaml'],
    });
  });

  it('is empty for a document that is no template', () => {
    expect(readHeader(parseYaml('[1, 2]', 'a.yaml').tree)).toEqual({ sources: [], includes: [], models: false });
  });
});

describe('loading any text', () => {
  it('returns a template or issues with places, and never throws', () => {
    const lines = good.split('\n');
    const key = fc.constantFrom(...lines.flatMap((line) => /^\s*(?:- )?(\w+):/.exec(line)?.[1] ?? []));
    const value = fc.constantFrom(
      'x',
      '3',
      '[]',
      '{}',
      '{ a: 1 }',
      'null',
      '-1',
      '"{{ results.plan_recon }}"',
      '!lisp (',
      '[ingest, ingest]',
      'finalize',
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(lines.length - 1), key, value), { minLength: 1, maxLength: 4 }),
        (changes) => {
          const changed = lines.map((line, index) => {
            const change = changes.find(([at]) => at === index);
            return change === undefined ? line : line.replace(/^(\s*(?:- )?).*/, `$1${change[1]}: ${change[2]}`);
          });
          const loaded = loadTemplate(parseYaml(changed.join('\n'), 'a.yaml'), declarations);
          if (!loaded.ok) for (const each of loaded.error) expect(each.place?.file).toBe('a.yaml');
          expect(loaded.ok || loaded.error.some((each) => each.severity === 'error')).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});
