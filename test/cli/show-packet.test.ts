// Shows what a planner gets: a run that stops when its planner is asked, and the packets of earlier runs.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { call, project } from './reconverge.ts';

const files = {
  'handlers.mjs': `import { appendFileSync } from 'node:fs';
import { defineCapability } from 'reconverge';
const note = (name, run) => defineCapability({
  name, description: 'Writes down that it was called.', input: '{brief :any?}', effects: ['write'],
  run(input) { appendFileSync('called', name); return run(input); },
});
export const planner = note('own.plan', () => ({ steps: [{ name: 'inner', type: 'compute', expr: '(+ 1 1)' }] }));
`,
  'plan.yaml': `reconverge: 1
name: shelves
input: "{shelves [:string]}"
capabilities: [data.transform]
steps:
  - { name: survey, type: compute, expr: !lisp "{:boxes (range 400)}" }
  - name: plan
    type: planning
    goal: Label each shelf.
    dependencies: [survey]
    convergence_target: labels
    planner:
      kind: lisp
      source: !lisp |
        {:steps (for [shelf (:shelves data/input)]
                  {:name shelf :capability "data.transform" :input {:data shelf :expr "data/input"}})}
  - { name: labels, type: deferred, dependencies: [plan] }
`,
  'own.yaml': `reconverge: 1
name: own
capabilities: [./handlers.mjs]
steps:
  - { name: plan, type: planning, goal: Plan., convergence_target: end, planner: { kind: capability, name: own.plan } }
  - { name: end, type: deferred, dependencies: [plan] }
`,
};

it('a run with --show-packet prints what its planner gets, begins no planned step, and can be resumed', async () => {
  const cwd = project(files, onTestFinished);
  const words = ['run', 'plan.yaml', '--input', 'shelves=["a","b"]', '--show-packet', 'plan'];
  const { code, stdout, stderr } = await call(words, { cwd });
  expect(code).toBe(0);
  const seen = JSON.parse(stdout);
  expect(seen).toMatchObject({
    packet: {
      problem: { template: 'shelves', goal: 'Label each shelf.' },
      target: { id: 'labels' },
      budget: { max_fragment_steps: 20, max_planning_depth: 2, converge: false },
    },
    budget: { phases: 4, steps: 97 },
    bounds: { max_fragment_steps: 20, max_fan_out: 10 },
    input: { shelves: ['a', 'b'] },
  });
  // A result that the journal keeps apart stands in the packet in full.
  expect(seen.packet.results.survey.boxes).toHaveLength(400);
  expect(stderr).toContain('no planned step has begun');
  expect(stderr).toMatch(/reconverge resume \w+/);

  const before = await call(['show', 'latest', '--json'], { cwd });
  expect(JSON.parse(before.stdout).steps).not.toContainEqual(
    expect.objectContaining({ id: 'plan.1/a', status: 'completed' }),
  );
  expect((await call(['resume', 'latest', '--quiet'], { cwd })).stdout).toContain('completed shelves: 5 of 5 steps');
  const why = await call(['why', 'latest', 'plan', '--packet', '--json'], { cwd });
  expect(JSON.parse(why.stdout)).toEqual({
    planner: { step: 'plan', attempt: 1, tokens: expect.any(Number), ...seen },
  });
  const none = await call(['why', 'latest', 'labels', '--packet'], { cwd });
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('planners were asked at plan')]);
});

it('a planner that is a capability is not called, also where planning is the first step', async () => {
  const cwd = project(files, onTestFinished);
  const { code, stdout } = await call(['run', 'own.yaml', '--show-packet', 'plan', '--json'], { cwd });
  expect(code).toBe(0);
  const last = stdout.trim().split('\n').at(-1) ?? '';
  expect(JSON.parse(last)).toMatchObject({ planner: { step: 'plan', packet: { results: {} } } });
  expect(existsSync(join(cwd, 'called'))).toBe(false);
});

it('a step without a planner is refused before the run begins', async () => {
  const cwd = project(files, onTestFinished);
  const wrongType = await call(['run', 'plan.yaml', '--input', 'shelves=[]', '--show-packet', 'labels'], { cwd });
  expect(wrongType).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('"labels" is a deferred step and has no planner'),
  });
  const misspelt = await call(['run', 'plan.yaml', '--input', 'shelves=[]', '--show-packet', 'plam'], { cwd });
  expect(misspelt.stderr).toContain('did you mean "plan"?');
  expect((await call(['runs'], { cwd })).stdout).not.toContain('shelves');
});

it('a nested planning step that never plans leaves the run to its usual end, with the planners that were asked', async () => {
  const cwd = project(files, onTestFinished);
  const words = ['run', 'plan.yaml', '--input', 'shelves=["a"]', '--quiet', '--show-packet', 'plan.1/next'];
  const { code, stdout, stderr } = await call(words, { cwd });
  expect(code).toBe(1);
  expect(stdout).toContain('completed shelves: 4 of 4 steps');
  expect(stderr).toContain('planners were asked at plan');
});
