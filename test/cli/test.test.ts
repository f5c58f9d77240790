// reconverge test: the scenarios it finds, its report on each, and its exit codes.
import { describe, expect, it } from 'vitest';
import { call, project } from './reconverge.ts';

const plan = `
reconverge: 1
name: plan
steps:
  - { name: double, type: compute, expr: !lisp "(* 2 (:n data/input))" }
environments:
  half: { steps: { double: { timeout: 1s } } }
`;

const scenarios = `
scenarios:
  - { name: doubles, input: { n: 2 }, expect: { status: completed, output: { double: 4 } } }
  - { name: doubles in another environment, environment: half, input: { n: 3 }, expect: { status: completed, output: { double: 6 } } }
`;

const wrong =
  'scenarios: [{ name: is wrong, input: { n: 2 }, expect: { status: completed, output: { double: 5 } } }]\n';

describe('test', () => {
  it('plays the scenarios beside a template, and reports success', async () => {
    const cwd = project({ 'plan.yaml': plan, 'plan.scenarios.yaml': scenarios });
    const { code, stdout } = await call(['test', 'plan.yaml'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^plan\.scenarios\.yaml\n {2}✓ doubles {2}completed in .*\n {2}✓ doubles in another/);
    expect(stdout).toContain('ok: 2 scenarios');
  });

  it('reports differences, and exits with 1', async () => {
    const cwd = project({ 'plan.yaml': plan, 'plan.scenarios.yaml': wrong });
    const { code, stdout } = await call(['test'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain('✗ is wrong');
    expect(stdout).toContain('output.double: expected 5, found 4');
  });

  it('finds all scenarios of a folder, and reports each with --json', async () => {
    const cwd = project({
      'a/plan.yaml': plan,
      'a/plan.scenarios.yaml': scenarios,
      'a/b/plan.yaml': plan,
      'a/b/plan.scenarios.json': JSON.stringify({ scenarios: [{ name: 'x', expect: { status: 'failed' } }] }),
      'node_modules/c/plan.scenarios.yaml': 'nonsense',
    });
    const { code, stdout } = await call(['test', '--json', '--only', 'x'], { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      files: [
        { file: 'a/b/plan.scenarios.json', template: 'a/b/plan.yaml', scenarios: [{ name: 'x', ok: true }] },
        { file: 'a/plan.scenarios.yaml', scenarios: [] },
      ],
    });
  });

  it('exits with 1 if no scenario has the given name', async () => {
    const cwd = project({ 'plan.yaml': plan, 'plan.scenarios.yaml': scenarios });
    const { code, stderr } = await call(['test', '--only', 'triples'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain('SCENARIOS_MISSING: no scenario has "triples" in its name');
  });

  it('exits with 1 if there are no scenarios, or unreadable ones', async () => {
    const cwd = project({ 'plan.yaml': plan, 'broken.scenarios.yaml': 'scenarios: [{ name: x }]\n' });
    const none = await call(['test', 'plan.yaml'], { cwd });
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('SCENARIOS_MISSING')]);
    const broken = await call(['test', 'broken.scenarios.yaml'], { cwd });
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('a scenario has no "expect"')]);
  });
});

describe('validate', () => {
  it('distinguishes scenarios from templates', async () => {
    const cwd = project({ 'plan.yaml': plan, 'plan.scenarios.yaml': scenarios });
    const { code, stdout } = await call(['validate', 'plan.yaml', 'plan.scenarios.yaml'], { cwd });
    expect([code, stdout]).toEqual([0, 'plan.yaml: ok (1 step)\nplan.scenarios.yaml: ok (2 scenarios)\n']);
  });

  it('merges an environment into a template', async () => {
    const cwd = project({ 'plan.yaml': plan });
    const known = await call(['explain', 'plan.yaml', '--environment', 'half'], { cwd });
    expect([known.code, known.stdout]).toEqual([0, expect.stringContaining('in the environment half')]);
    const unknown = await call(['validate', 'plan.yaml', '--environment', 'hlaf'], { cwd });
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('did you mean "half"?')]);
    const run = await call(['run', 'plan.yaml', '--input', 'n=1', '--environment', 'half'], { cwd });
    expect([run.code, run.stdout]).toEqual([0, expect.stringContaining('completed plan (half)')]);
    const shown = await call(['show', 'latest', '--json'], { cwd });
    expect(JSON.parse(shown.stdout)).toMatchObject({ template: 'plan', environment: 'half' });
  });
});
