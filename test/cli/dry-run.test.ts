// Dry runs: the path of a template, without any call that could have an effect.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { call, openDoor } from './reconverge.ts';

const template = `
reconverge: 1
name: parcel
budget: { max_total_planning_phases: 2, max_total_steps: 20 }
capabilities: [catalog]
models: { default: { model: some-model, prices: { input: 1, output: 1 } } }
agents:
  packer: { prompt: Pack it., output: { type: object, required: [weight], properties: { weight: { type: number, minimum: 3 } } } }
roots: ["."]
steps:
  - { name: look, handler: files.list, input: { folder: "." } }
  - { name: pack, agent: packer, dependencies: [look], input: { files: "{{ results.look.count }}" } }
  - { name: agree, type: human_review, dependencies: [pack], prompt: "Is {{ results.pack.weight }} kg fine?" }
  - name: plan
    type: planning
    dependencies: [agree]
    convergence_target: send
    goal: Send it.
    planner: { kind: llm }
  - name: send
    type: deferred
    dependencies: [plan]
    convergence: { policy: all_settled }
    handler: persist.put
    input: { store: parcels, key: one, value: "{{ results.pack.weight }}" }
`;

function parcel(files: Readonly<Record<string, string>> = {}): string {
  return openDoor({ 'parcel.yaml': template, ...files });
}

describe('a dry run', () => {
  it('runs to the end without a model, a file or a person, and names the source of each value', async () => {
    const cwd = parcel();
    const { code, stdout, stderr } = await call(['dry-run', 'parcel.yaml', '--json'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const answer = JSON.parse(stdout);
    expect(answer.values).toEqual([
      { step: 'look', asked: 'files.list', from: 'its contract' },
      { step: 'pack', asked: 'model', from: 'its contract' },
      { step: 'plan', asked: 'planner', from: 'nothing' },
      { step: 'send', asked: 'persist.put', from: 'its contract' },
      { step: 'agree', asked: 'a person (review)', from: 'its contract' },
    ]);
    expect(existsSync(join(cwd, '.reconverge'))).toBe(false);
  });

  it('takes answers from stubs, and reviews a stubbed plan like any other plan', async () => {
    const stubs = [
      'steps: { look: { folder: ".", files: [], count: 0, bytes: 0, left_out: [] }, pack: { weight: 7 } }',
      'capabilities: { files.read: { text: hello } }',
      'plans:',
      '  plan: { rationale: read it, steps: [{ name: label, handler: files.read, input: { path: a.txt } }] }',
      'answers: { agree: { approved: false, notes: too heavy } }',
    ];
    const cwd = parcel({ 'stubs.yaml': `${stubs.slice(0, 4).join('\n')}\n`, 'no.yaml': `${stubs.join('\n')}\n` });
    const yes = await call(['dry-run', 'parcel.yaml', '--stubs', 'stubs.yaml'], { cwd });
    expect(yes.stdout).toMatch(/✓ plan {2}grew 1 step/);
    expect(yes.stdout).toMatch(/plan\.1\/label +files\.read +the stub of the capability/);
    expect(yes.stdout).toMatch(/pack +model +its stub/);
    const no = JSON.parse((await call(['dry-run', 'parcel.yaml', '--stubs', 'no.yaml', '--json'], { cwd })).stdout);
    expect(no.values).toContainEqual({ step: 'agree', asked: 'a person (review)', from: 'its stub' });
  });

  it('writes a first file of stubs, accepts it unchanged, and overwrites no file', async () => {
    const cwd = parcel();
    expect((await call(['dry-run', 'parcel.yaml', '--stubs-init', 'mine.yaml'], { cwd })).code).toBe(0);
    expect(parse(readFileSync(join(cwd, 'mine.yaml'), 'utf8'))).toMatchObject({
      steps: { pack: { weight: 3 } },
      plans: { plan: { steps: [] } },
      answers: { agree: true },
    });
    expect((await call(['dry-run', 'parcel.yaml', '--stubs', 'mine.yaml'], { cwd })).code).toBe(0);
    const again = await call(['dry-run', 'parcel.yaml', '--stubs-init', 'mine.yaml'], { cwd });
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('FILE_EXISTS') });
  });

  it('reports invalid and unused stubs', async () => {
    const cwd = parcel();
    writeFileSync(join(cwd, 'wrong.yaml'), 'stepz: {}\n');
    const wrong = await call(['dry-run', 'parcel.yaml', '--stubs', 'wrong.yaml'], { cwd });
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringMatching(/wrong\.yaml:1:\d: error STUBS_INVALID/) });
    writeFileSync(join(cwd, 'idle.yaml'), 'capabilities: { files.raed: {} }\n');
    const idle = await call(['dry-run', 'parcel.yaml', '--stubs', 'idle.yaml'], { cwd });
    expect(idle).toMatchObject({ code: 0, stderr: expect.stringMatching(/idle\.yaml:1:\d+: warning STUB_UNUSED/) });
  });
});
