// Runs that wait for people, as people meet them: real processes that ask, answer, are stopped and are killed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { patience } from '../patience.ts';
import { begin, call, callsOf, doorProject, openDoor, openThe, type Running, reconverge } from './reconverge.ts';

/** A review, a question with a contract, and a step that depends on both. */
const asks = `
reconverge: 1
name: asks
capabilities: [./handlers.ts]
steps:
  - name: first
    handler: door.note
    input: { name: first }
  - name: check
    type: human_review
    dependencies: [first]
    prompt: Was {{ results.first.name }} here?
  - name: colour
    type: human_review
    dependencies: [check]
    prompt: Which colour?
    decision:
      type: object
      required: [colour]
      properties: { colour: { enum: [red, green] }, notes: { type: string } }
  - name: last
    handler: door.note
    dependencies: [colour]
    input: { name: "{{ results.colour.colour }}" }
`;

/** A review beside a branch that waits at the door. */
const branches = `
reconverge: 1
name: branches
capabilities: [./handlers.ts]
steps:
  - name: check
    type: human_review
    prompt: May it go on?
  - name: door
    handler: door.wait
    timeout: 10m
    input: { name: door }
  - name: last
    handler: door.note
    dependencies: [check, door]
    input: { name: last }
`;

function asking(): string {
  return openDoor({ 'asks.yaml': asks });
}

async function besideTheDoor(cwd: string): Promise<Running> {
  const running = begin(['run', 'branches.yaml'], { cwd });
  await running.said('gate.opened');
  await vi.waitFor(() => expect(callsOf(cwd)).toContain('door'), patience);
  return running;
}

describe('a run that waits only for people', () => {
  it('exits with 3, and shows the questions and the commands that answer them', async () => {
    const cwd = asking();
    const { code, stdout, stderr } = await reconverge(['run', 'asks.yaml'], { cwd });
    expect(code).toBe(3);
    expect(stdout).toMatch(/^waiting asks: /);
    expect(stdout).toContain('Was first here?');
    expect(stderr).toMatch(/^ *reconverge review [a-z0-9]+ g1 --approve$/m);
    expect(stderr).toMatch(/^ *reconverge review [a-z0-9]+ g1 --reject "why"$/m);
    expect((await reconverge(['runs'], { cwd })).stdout).toMatch(/ waiting /);
    const resumed = await reconverge(['resume', 'latest', '--quiet'], { cwd });
    expect(resumed.code).toBe(3);
    expect(resumed.stdout).toContain('Was first here?');
  });

  it('lists all answers to a budget gate, without ambiguous words', async () => {
    const cwd = asking();
    const step = { name: 'a', capability: 'data.transform', input: { data: 1, expr: 'data/input' } };
    const planner = { kind: 'fixed', fragment: { steps: [step] } };
    const steps = [
      { name: 'plan', type: 'planning', convergence_target: 'all', planner },
      { name: 'all', type: 'deferred', dependencies: ['plan'], convergence: { on_exhaustion: 'ask' } },
    ];
    const template = { reconverge: 1, name: 'short', capabilities: ['catalog'], budget: { max_total_steps: 2 }, steps };
    writeFileSync(join(cwd, 'short.yaml'), JSON.stringify(template));
    const { code, stdout, stderr } = await call(['run', 'short.yaml', '--quiet'], { cwd });
    expect(code).toBe(3);
    expect(stdout).toContain('; plan wants 1 more: ');
    expect(stderr).toMatch(
      /g1 --answer answer=raise --answer limit=….*\n.*answer=converge\n.*answer=replan\n.*answer=abort\n/,
    );
    expect(stderr).not.toMatch(/--approve|--reject/);
  });

  it('continues to its end after the last answer', async () => {
    const cwd = asking();
    await call(['run', 'asks.yaml', '--quiet'], { cwd });
    const approved = await call(['review', 'latest', 'g1', '--approve', '--why', 'I saw him'], { cwd });
    expect(approved.code).toBe(3);
    expect(approved.stderr).toContain('gate.decided');
    expect(approved.stderr).toMatch(/review [a-z0-9]+ g2 --answer colour=red$/m);
    expect(approved.stderr).not.toContain('g2 --approve');
    const wrong = await call(['review', 'latest', 'g2', '--answer', 'colour=blue'], { cwd });
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toMatch(/GATE_ANSWER_INVALID.*"red", "green"/);
    const answered = await call(['review', 'latest', 'g2', '--answer', 'colour=green', '--answer', 'notes=x'], {
      cwd,
    });
    expect(answered.code).toBe(0);
    expect(callsOf(cwd)).toEqual(['first', 'green']);
    const shown = await call(['show', 'latest', '--result', 'colour'], { cwd });
    expect(JSON.parse(shown.stdout)).toEqual({ colour: 'green', notes: 'x' });
    const late = await call(['review', 'latest', 'g2', '--approve'], { cwd });
    expect(late.code).toBe(1);
    expect(late.stderr).toContain('RUN_ENDED');
    expect(late.stderr).toMatch(/see how with: reconverge show [a-z0-9]{8}$/m);
  });

  it('fails after a rejection, with the reason', async () => {
    const cwd = asking();
    await call(['run', 'asks.yaml', '--quiet'], { cwd });
    const { code, stdout } = await call(['review', 'latest', 'g1', '--reject', 'nobody was'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(/GATE_REJECTED: \S+ rejected gate g1: nobody was/);
  });

  it('accepts an answer from a file', async () => {
    const cwd = asking();
    await call(['run', 'asks.yaml', '--quiet'], { cwd });
    await call(['review', 'latest', 'g1', '--approve', '--quiet'], { cwd });
    writeFileSync(join(cwd, 'answer.json'), '{"colour":"red"}');
    expect((await call(['review', 'latest', 'g2', '--answer', '@answer.json'], { cwd })).code).toBe(0);
  });
});

describe('gates', () => {
  it('lists the open gates of all runs or of one run, and shows one gate in full', async () => {
    const cwd = asking();
    expect((await call(['gates'], { cwd })).stderr).toContain('nobody is asked anything');
    expect((await call(['gates', '--store', 'none.db'], { cwd })).stderr).toContain('STORE_MISSING');
    await call(['run', 'asks.yaml', '--quiet'], { cwd });
    await call(['run', 'asks.yaml', '--quiet'], { cwd });
    await call(['review', 'latest', 'g1', '--approve', '--quiet'], { cwd });
    const all = JSON.parse((await call(['gates', '--json'], { cwd })).stdout);
    expect(all.gates).toMatchObject([
      { gate: 'g2', step: 'colour', template: 'asks' },
      { gate: 'g1', step: 'check' },
    ]);
    const whole = await call(['gates', 'latest', 'g2'], { cwd });
    expect(whole.stdout).toContain('Which colour?');
    expect(whole.stdout).toMatch(/colour {2}one of red, green$/m);
    expect(whole.stdout).toMatch(/notes {3}text \(may be left out\)$/m);
    const json = JSON.parse((await call(['gates', 'latest', 'g2', '--json'], { cwd })).stdout);
    expect(json).toMatchObject({ gate: 'g2', kind: 'review', holds: ['colour'], context: { depends: {} } });
    const decided = JSON.parse((await call(['gates', 'latest', 'g1', '--json'], { cwd })).stdout);
    expect(decided).toMatchObject({ gate: 'g1', end: 'decided', answers: [] });
  });

  it('suggests the nearest name for an unknown gate', async () => {
    const cwd = asking();
    await call(['run', 'asks.yaml', '--quiet'], { cwd });
    const { code, stderr } = await call(['gates', 'latest', 'g11'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toMatch(/GATE_UNKNOWN.*"g11"/);
    expect(stderr).toContain('g1');
  });
});

describe('approvals', () => {
  it('are listed with the input of each call', async () => {
    const cwd = openDoor({
      'each.yaml': `
reconverge: 1
name: each
capabilities: [./handlers.ts]
steps:
  - name: all
    type: fan_out
    for_each: [ann, ben]
    max_width: 2
    do: { name: one, handler: door.note, input: { name: "{{ item }}" }, approval: true }
`,
    });
    await call(['run', 'each.yaml', '--quiet'], { cwd });
    const { stdout } = await call(['gates'], { cwd });
    expect(stdout).toContain('Step "all/0" wants to call door.note. May it?\n    {"name":"ann"}\n');
    expect(stdout).toContain('Step "all/1" wants to call door.note. May it?\n    {"name":"ben"}\n');
    const { gates } = JSON.parse((await call(['gates', '--json'], { cwd })).stdout);
    expect(gates).toMatchObject([{ input: { name: 'ann' } }, { input: { name: 'ben' } }]);
  });
});

describe('an approval for more than one call', () => {
  const both = `
reconverge: 1
name: both
capabilities: [./handlers.ts]
effects: { approval: [read] }
steps:
  - name: plan
    type: planning
    convergence_target: end
    planner:
      kind: fixed
      fragment:
        steps:
          - { name: a, handler: door.note, input: { name: a } }
          - { name: b, handler: door.note, input: { name: b } }
          - { name: c, handler: door.note, input: { name: c }, dependencies: [a] }
  - name: end
    type: deferred
    dependencies: [plan]
`;

  it('is given once, and is reported', async () => {
    const cwd = openDoor({ 'both.yaml': both });
    const asked = await call(['run', 'both.yaml'], { cwd });
    expect(asked.stdout).toContain('Step "plan.1/a" wants to call door.note, whose effect is read. May it?');
    expect(asked.stderr).toMatch(/review [a-z0-9]+ g1 --approve --for capability$/m);
    const given = await call(['review', 'latest', 'g1', '--approve', '--for', 'capability', '--why', 'fine'], { cwd });
    expect([given.code, callsOf(cwd).toSorted()]).toEqual([0, ['a', 'b', 'c']]);
    expect((await call(['why', 'latest', 'plan.1/a'], { cwd })).stdout).toMatch(
      /approved for every call of it in this run by .* after .*: fine/,
    );
  });

  it('is accepted only together with a yes', async () => {
    const cwd = openDoor({ 'both.yaml': both });
    await call(['run', 'both.yaml', '--quiet'], { cwd });
    const { code, stderr } = await call(['review', 'latest', 'g1', '--reject', 'no', '--for', 'step'], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('--for needs --approve')]);
  });
});

describe('review', () => {
  it('explains its usage when the decision is missing', async () => {
    const cwd = asking();
    await call(['run', 'asks.yaml', '--quiet'], { cwd });
    for (const [words, said] of [
      [[], 'one of --approve, --reject, --answer, --edit'],
      [['--approve', '--answer', 'x'], '--approve and --answer contradict each other'],
      [['--answer', '@nowhere.json'], 'cannot be read: there is no such file'],
      [['--answer', '{"approved": tru'], 'begins as JSON but is none'],
      [['--edit', 'nowhere.yaml'], '--edit nowhere.yaml cannot be read'],
    ] as const) {
      const { code, stderr } = await call(['review', 'latest', 'g1', ...words], { cwd });
      expect(stderr).toContain(said);
      expect(code).toBe(2);
    }
  });

  it('answers --json with the documented shape, also for a refusal', async () => {
    const cwd = asking();
    await call(['run', 'asks.yaml', '--quiet'], { cwd });
    const refused = await call(['review', 'latest', 'g1', '--edit', 'asks.yaml', '--json'], { cwd });
    expect(JSON.parse(refused.stdout)).toMatchObject({ issues: [{ code: 'GATE_VERDICT_INVALID' }] });
    const { code, stdout } = await call(['review', 'latest', 'g1', '--approve', '--json'], { cwd });
    expect(code).toBe(3);
    const { report } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    expect(report).toMatchObject({ status: 'waiting', gates: [{ gate: 'g2' }] });
  });
});

describe('a second terminal', () => {
  it('answers a gate while the first terminal drives another branch', async () => {
    const cwd = doorProject({ 'branches.yaml': branches });
    const running = await besideTheDoor(cwd);
    const { code, stdout } = await call(['review', 'latest', 'g1', '--approve', '--json'], { cwd });
    expect(JSON.parse(stdout)).toEqual({ ordered: { followed: true } });
    expect(code).toBe(0);
    await running.said('gate.decided');
    openThe(cwd);
    expect((await running.ended).code).toBe(0);
    expect(callsOf(cwd)).toEqual(['door', 'last']);
  });

  it('learns that the gate is already decided when two terminals answer at once', async () => {
    const cwd = doorProject({ 'branches.yaml': branches });
    const running = await besideTheDoor(cwd);
    const answers = await Promise.all(
      ['--approve', '--reject'].map((verdict) => reconverge(['review', 'latest', 'g1', verdict], { cwd })),
    );
    expect(answers.map(({ code }) => code).toSorted()).toEqual([0, 1]);
    expect(answers.find(({ code }) => code === 1)?.stderr).toContain('GATE_CLOSED');
    openThe(cwd);
    expect((await running.ended).code).toBe(answers[0]?.code);
  });

  it('answers once when two terminals resume a run that no process drives', async () => {
    const cwd = asking();
    await call(['run', 'asks.yaml', '--quiet'], { cwd });
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((why) => reconverge(['review', 'latest', 'g1', '--approve', '--why', why], { cwd })),
    );
    const refused = answers.filter(({ stderr }) => stderr.includes('GATE_CLOSED'));
    expect(refused.map(({ code }) => code)).toEqual([1, 1]);
    const { stdout } = await call(['show', 'latest', '--result', 'check'], { cwd });
    expect(['one', 'two', 'three']).toContain(JSON.parse(stdout).notes);
  });

  it('gives a running step its result, and retries another step', async () => {
    const cwd = doorProject({ 'branches.yaml': branches });
    const running = await besideTheDoor(cwd);
    const again = await call(['retry-step', 'latest', 'door', '--why', 'it hangs'], { cwd });
    expect(again.stdout).toContain('has followed it');
    await vi.waitFor(() => expect(callsOf(cwd)).toEqual(['door', 'door']), patience);
    expect((await call(['resolve-step', 'latest', 'door', '--value', 'name=door'], { cwd })).code).toBe(0);
    await running.said('step.resolved');
    const refused = await call(['retry-step', 'latest', 'door'], { cwd });
    expect(refused.stderr).toContain('STEP_NOT_RETRYABLE');
    await running.ended;
    expect((await call(['review', 'latest', 'g1', '--approve', '--quiet'], { cwd })).code).toBe(0);
    expect(callsOf(cwd)).toEqual(['door', 'door', 'last']);
  });

  it('raises the budget of a driven run, and lists the valid keys', async () => {
    const cwd = doorProject({ 'branches.yaml': branches });
    const running = await besideTheDoor(cwd);
    const wrong = await call(['raise-budget', 'latest', 'max_total_step=9'], { cwd });
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain('did you mean "max_total_steps"?');
    const raised = await call(['raise-budget', 'latest', 'max_total_steps=500', '--why', 'worth it'], { cwd });
    expect(raised.code).toBe(0);
    expect((await call(['budget', 'latest'], { cwd })).stdout).toContain('of 500 steps');
    running.child.kill('SIGKILL');
    await running.ended;
  });
});

describe('a run that reuses the results of another run', () => {
  it('does not repeat finished steps', async () => {
    const cwd = asking();
    await call(['run', 'asks.yaml', '--quiet'], { cwd });
    expect((await call(['run', 'asks.yaml', '--quiet', '--reuse', 'latest'], { cwd })).code).toBe(3);
    expect(callsOf(cwd)).toEqual(['first']);
    const unknown = await call(['run', 'asks.yaml', '--reuse', 'nobody'], { cwd });
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain('RUN_UNKNOWN');
    expect(JSON.parse((await call(['runs', '--json'], { cwd })).stdout).runs).toHaveLength(2);
  });
});

describe('a process that keeps waiting for an answer', () => {
  async function waiting(cwd: string): Promise<Running> {
    const running = begin(['run', 'asks.yaml', '--wait'], { cwd });
    await running.said('g1 waits for an answer:');
    return running;
  }

  it('continues after an answer from another process', async () => {
    const cwd = asking();
    const running = await waiting(cwd);
    expect((await call(['review', 'latest', 'g1', '--approve'], { cwd })).code).toBe(0);
    await running.said('g2 waits for an answer:');
    expect((await call(['review', 'latest', 'g2', '--answer', 'colour=red'], { cwd })).code).toBe(0);
    expect((await running.ended).code).toBe(0);
  });

  it('leaves the run waiting at Ctrl-C, and shows how to answer', async () => {
    const cwd = asking();
    const running = await waiting(cwd);
    running.child.kill('SIGINT');
    const { code, stderr } = await running.ended;
    expect(code).toBe(3);
    expect(stderr).toMatch(/review [a-z0-9]+ g1 --approve/);
    expect((await call(['review', 'latest', 'g1', '--approve', '--quiet'], { cwd })).code).toBe(3);
  });

  it('leaves the gate open when it is killed', async () => {
    const cwd = asking();
    const running = await waiting(cwd);
    running.child.kill('SIGKILL');
    await running.ended;
    expect(JSON.parse((await call(['runs', '--json'], { cwd })).stdout).runs).toMatchObject([
      { status: 'waiting', gates: 1, driven: false },
    ]);
    expect((await call(['review', 'latest', 'g1', '--approve', '--quiet'], { cwd })).code).toBe(3);
    expect(callsOf(cwd)).toEqual(['first']);
  });
});

describe('a run whose process was killed beside an open gate', () => {
  it('keeps the gate, and repeats only the interrupted step', async () => {
    const cwd = doorProject({ 'branches.yaml': branches });
    const running = await besideTheDoor(cwd);
    running.child.kill('SIGKILL');
    await running.ended;
    const shown = await call(['show', 'latest'], { cwd });
    expect(shown.stderr).toMatch(/gates [a-z0-9]+$/m);
    expect(shown.stderr).toMatch(/resume [a-z0-9]+$/m);
    openThe(cwd);
    expect((await call(['review', 'latest', 'g1', '--approve', '--quiet'], { cwd })).code).toBe(0);
    expect(callsOf(cwd)).toEqual(['door', 'door', 'last']);
  });
});
