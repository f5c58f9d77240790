// Plans that a person reviews before the graft: shown, saved to a file, edited and handed back.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { call, callsOf, openDoor, reconverge } from './reconverge.ts';

const planned = `
reconverge: 1
name: planned
capabilities: [./handlers.ts]
steps:
  - name: plan
    type: planning
    goal: Say who was here.
    plan_review: always
    convergence_target: last
    planner:
      kind: fixed
      fragment:
        rationale: two guests
        steps:
          - { name: ann, capability: door.note, input: { name: ann } }
          - { name: ben, capability: door.note, input: { name: ben } }
  - name: last
    type: deferred
    dependencies: [plan]
    convergence: { policy: all_settled }
    handler: door.note
    input: { name: last }
`;

async function reviewing(): Promise<string> {
  const cwd = openDoor({ 'planned.yaml': planned });
  expect((await call(['run', 'planned.yaml', '--quiet'], { cwd })).code).toBe(3);
  return cwd;
}

it('a review shows the plan, its cost and the ways to decide', async () => {
  const cwd = await reviewing();
  const { stdout, stderr } = await call(['gates', 'latest', 'g1'], { cwd });
  expect(stdout).toContain('two guests');
  expect(stdout).toMatch(/^plan:\n {2}rationale: two guests\n {2}steps:\n {4}- name: ann$/m);
  expect(stdout).toMatch(/^estimate:\n/m);
  expect(stderr).toMatch(/review [a-z0-9]+ g1 --edit plan\.yaml$/m);
});

it('an edited plan is grafted, and both versions are kept', async () => {
  const cwd = await reviewing();
  const { stdout } = await call(['gates', 'latest', 'g1', '--plan'], { cwd });
  writeFileSync(join(cwd, 'mine.yaml'), stdout.replaceAll('ben', 'bob'));
  const edited = await call(['review', 'latest', 'g1', '--edit', 'mine.yaml', '--why', 'his name'], { cwd });
  expect(edited.code).toBe(0);
  expect(callsOf(cwd).toSorted()).toEqual(['ann', 'bob', 'last']);
  const why = await call(['why', 'latest', 'plan'], { cwd });
  expect(why.stdout).toContain('his name');
});

it('an invalid edit is refused with its line', async () => {
  const cwd = await reviewing();
  const edit = 'steps:\n  - name: ann\n    capability: door.knock\n    input: { name: ann }\n';
  const { code, stderr } = await reconverge(['review', 'latest', 'g1', '--edit', '-'], { cwd, stdin: edit });
  expect(stderr).toMatch(/^-:3:\d+: error PLAN_EDIT_INVALID: .*door\.knock/m);
  expect(code).toBe(1);
  const broken = await reconverge(['review', 'latest', 'g1', '--edit', '-'], { cwd, stdin: 'steps: [' });
  expect(broken.stderr).toMatch(/^-:1:\d+: error YAML_\w+/m);
  expect((await call(['review', 'latest', 'g1', '--approve'], { cwd })).code).toBe(0);
  expect(callsOf(cwd).toSorted()).toEqual(['ann', 'ben', 'last']);
});

it('a rejection sends its reason back to the planner', async () => {
  const cwd = await reviewing();
  const { code, stderr } = await call(['review', 'latest', 'g1', '--reject', 'three guests'], { cwd });
  expect(stderr).toContain('PLAN_REJECTED');
  expect(code).toBe(3);
});

it('a contradictory decision is refused, and the gate stays open', async () => {
  const cwd = await reviewing();
  writeFileSync(join(cwd, 'mine.yaml'), 'steps: []');
  const both = await call(['review', 'latest', 'g1', '--approve', '--edit', 'mine.yaml'], { cwd });
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('contradict each other')]);
  expect((await call(['gates', 'latest', 'g1'], { cwd })).code).toBe(0);
  expect((await call(['review', 'latest', 'g1', '--approve'], { cwd })).code).toBe(0);
});

it.each(['--approve', '--reject=no', '--edit=mine.yaml'])('a decided gate refuses %s', async (decision) => {
  const cwd = await reviewing();
  writeFileSync(join(cwd, 'mine.yaml'), 'steps: []');
  expect((await call(['review', 'latest', 'g1', '--approve'], { cwd })).code).toBe(0);
  const again = await call(['review', 'latest', 'g1', decision, '--json'], { cwd });
  expect(again.code).toBe(1);
  expect(JSON.parse(again.stdout).issues).toMatchObject([{ code: 'RUN_ENDED' }]);
  expect(callsOf(cwd).toSorted()).toEqual(['ann', 'ben', 'last']);
});
