// Child runs from the command line: killed, stopped, answered and cancelled as real processes.
import { describe, expect, it, vi } from 'vitest';
import { patience } from '../patience.ts';
import { begin, call, callsOf, doorProject, openThe, project, reconverge } from './reconverge.ts';

const inside = `reconverge: 1
name: inside
capabilities: [./handlers.ts]
steps:
  - { name: first, handler: door.note, input: { name: inner } }
  - { name: door, handler: door.wait, dependencies: [first], timeout: 10m, input: { name: door } }
`;

const outside = `reconverge: 1
name: outside
capabilities: [./handlers.ts, { template: ./inside.yaml }]
steps:
  - { name: before, handler: door.note, input: { name: before } }
  - { name: sub, handler: inside, dependencies: [before] }
  - { name: after, handler: door.note, dependencies: [sub], input: { name: after } }
`;

/** A run whose child run has reached the door. */
async function atTheInnerDoor() {
  const cwd = doorProject({ 'inside.yaml': inside, 'outside.yaml': outside });
  const running = begin(['run', 'outside.yaml'], { cwd });
  await running.said('attempt.started       sub');
  await vi.waitFor(() => expect(callsOf(cwd)).toContain('door'), patience);
  return { cwd, running };
}

const runsOf = async (cwd: string) => JSON.parse((await call(['runs', '--json'], { cwd })).stdout).runs;

describe('a process that is killed while a child run is in progress', () => {
  it('leaves both runs resumable, and resume starts no second child run', async () => {
    const { cwd, running } = await atTheInnerDoor();
    running.child.kill('SIGKILL');
    await running.ended;
    expect(await runsOf(cwd)).toMatchObject([{ status: 'interrupted' }, { status: 'interrupted' }]);
    openThe(cwd);
    const { code, stdout } = await call(['resume', 'latest'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('completed outside: 3 of 3 steps completed');
    expect(await runsOf(cwd)).toMatchObject([
      { template: 'inside', status: 'completed' },
      { template: 'outside', status: 'completed' },
    ]);
    const calls = callsOf(cwd);
    expect(calls.filter((name) => name === 'inner')).toHaveLength(1);
    expect(calls.filter((name) => name === 'door')).toHaveLength(2);
    expect(calls.at(-1)).toBe('after');
  });
});

it('Ctrl-C stops a parent run and its child run, and both can be resumed', async () => {
  const { cwd, running } = await atTheInnerDoor();
  running.child.kill('SIGINT');
  await running.said('stopping:');
  running.child.kill('SIGINT');
  const { code, stderr } = await running.ended;
  expect(code).toBe(130);
  expect(stderr).toContain('go on with:');
  expect(await runsOf(cwd)).toMatchObject([
    { status: 'interrupted', driven: false },
    { status: 'interrupted', driven: false },
  ]);
});

it('another terminal cancels a parent run together with its child run', async () => {
  const { cwd, running } = await atTheInnerDoor();
  expect((await call(['cancel', 'latest'], { cwd })).code).toBe(0);
  expect((await running.ended).code).toBe(5);
  expect(await runsOf(cwd)).toMatchObject([{ status: 'cancelled' }, { status: 'cancelled' }]);
});

describe('a gate of a child run', () => {
  const files = {
    'asks.yaml': `reconverge: 1
name: asks
steps: [{ name: check, type: human_review, prompt: "is it right?" }]
output: "{{ results.check.approved }}"
`,
    'caller.yaml': `reconverge: 1
name: caller
capabilities: [{ template: ./asks.yaml }]
steps: [{ name: sub, handler: asks }]
`,
  };

  it('is listed once, shown in full, and can be answered through the parent run', async () => {
    const cwd = project(files);
    const ran = await call(['run', 'caller.yaml'], { cwd });
    expect(ran.code).toBe(3);
    expect(ran.stdout).toContain('waiting caller: ');
    expect(ran.stderr).toMatch(/reconverge review \w+ g1\/g1 --approve/);
    const listed = await call(['gates', '--json'], { cwd });
    expect(JSON.parse(listed.stdout).gates).toMatchObject([
      { template: 'caller', gate: 'g1/g1', kind: 'review', step: 'check' },
    ]);
    const one = await call(['gates', 'latest', 'g1/g1'], { cwd });
    expect(one.stdout).toContain('is it right?');
    const [inner] = await runsOf(cwd);
    const shown = await call(['show', 'latest'], { cwd });
    expect(shown.stdout).toContain('held: g1 child');
    expect(shown.stdout).toContain(`run ${inner.id}`);
    expect(shown.stdout).toContain(`review of check in run ${inner.id}`);
    expect((await call(['why', 'latest', 'sub'], { cwd })).stdout).toContain(`run ${inner.id}`);
    expect((await call(['graph', 'latest'], { cwd })).stdout).toContain(inner.id);
    expect((await call(['trace', 'latest'], { cwd })).stdout).toContain('gate child');
    expect((await call(['show', inner.id], { cwd })).stdout).toContain('started by sub of run');
    expect((await call(['runs'], { cwd })).stdout).toMatch(/asks, for \w+/);
    const reviewed = await call(['review', 'latest', 'g1', '--approve'], { cwd });
    expect(reviewed.code).toBe(0);
    expect(reviewed.stdout).toContain('completed caller: 1 of 1 step completed');
    for (const run of await runsOf(cwd)) expect((await call(['replay', run.id], { cwd })).code).toBe(0);
  });

  it('is unknown in a run that does not have it', async () => {
    const cwd = project(files);
    await call(['run', 'caller.yaml'], { cwd });
    const { code, stderr } = await call(['review', 'latest', 'g1/g7', '--approve'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain('GATE_UNKNOWN');
  });
});

it('a template that runs call is described as a capability, with the capabilities it may use', async () => {
  const cwd = doorProject({ 'inside.yaml': inside, 'outside.yaml': outside });
  const described = await reconverge(['capabilities', 'describe', 'inside', '--template', 'outside.yaml'], { cwd });
  expect(described.stdout).toContain('Runs the template "inside".');
  const listed = await call(['capabilities', 'list', '--template', 'outside.yaml', '--json'], { cwd });
  expect(JSON.parse(listed.stdout).capabilities.map(({ name }: { name: string }) => name)).toContain('inside');
  const explained = await call(['explain', 'outside.yaml'], { cwd });
  expect(explained.code).toBe(0);
  expect(explained.stdout).toContain('runs of other templates');
});
