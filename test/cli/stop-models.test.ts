// Ctrl-C during model calls: no new model call, tool call or step begins, and `resume` goes on without repeating an answer.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type HeldModel, openHeldModel } from './held-model.ts';
import { begin, call, openThe, project, type Running, reconverge } from './reconverge.ts';

const template = `reconverge: 1
name: counts
models:
  default: { model: small, base_url: "\${env.MODEL_URL}", prices: { input: $1, output: $1 }, max_retries: 2 }
agents:
  reader:
    prompt: You count files.
    tools: [files.list]
    output: "{count :int}"
capabilities: [catalog]
roots: [.]
steps:
  - name: look
    agent: reader
    description: Count the files in the folder.
    input: { folder: . }
  - name: again
    handler: files.list
    dependencies: [look]
    input: { folder: . }
`;

const toolCall = {
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'files_list', arguments: '{"folder":"."}' } }],
};

interface HeldRun {
  readonly cwd: string;
  readonly model: HeldModel;
  readonly env: Readonly<Record<string, string>>;
  readonly running: Running;
}

async function begun(text = template): Promise<HeldRun> {
  const model = await openHeldModel();
  const cwd = project({ 'counts.yaml': text });
  const env = { MODEL_URL: model.url };
  return { cwd, model, env, running: begin(['run', 'counts.yaml'], { cwd, env }) };
}

async function interrupt({ child, said }: Running): Promise<void> {
  child.kill('SIGINT');
  await said('Ctrl-C again');
}

/** The types of the events after the note that the run stops. */
function begunAfter(stderr: string): string[] {
  const after = stderr.slice(stderr.indexOf('stopping:'));
  return after.match(/(?:attempt|call|step|plan)\.started|plan\.requested/g) ?? [];
}

describe('after Ctrl-C', () => {
  it('an agent begins no tool call, and goes on with the answer that it has when the run is resumed', async () => {
    const { cwd, model, env, running } = await begun();
    const first = await model.next();
    await interrupt(running);
    first.reply(toolCall);
    const { code, stdout, stderr } = await running.ended;
    expect(code).toBe(130);
    expect(stdout).toMatch(/^interrupted counts: /);
    expect(stderr).toMatch(/go on with:\n {2}reconverge resume/);
    expect(begunAfter(stderr)).toEqual([]);
    expect(model.count()).toBe(1);

    const resumed = reconverge(['resume', 'latest'], { cwd, env });
    const second = await model.next();
    expect(second.body).toContain('counts.yaml');
    second.reply({ content: '{"count": 1}' });
    expect(await resumed).toMatchObject({ code: 0, stdout: expect.stringContaining('2 of 10 LLM calls') });
    expect(model.count()).toBe(2);
  });

  it('an agent asks its model no further question after a tool, and the tool is not called again', async () => {
    const slow =
      template
        .replace('tools: [files.list]', 'tools: [slow.read]')
        .replace('capabilities: [catalog]', 'capabilities: [./slow.ts]')
        .split('  - name: again')[0] ?? '';
    const model = await openHeldModel();
    const handlers = `import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as pass } from 'node:timers/promises';
import { defineCapability } from 'reconverge';
export const read = defineCapability({
  name: 'slow.read', description: 'Reads slowly.', input: '{folder :string}', effects: ['read'],
  async run() {
    appendFileSync('calls.log', 'read ');
    console.error('reading');
    while (!existsSync('open')) await pass(10);
    return { files: 3 };
  },
});
`;
    const cwd = project({ 'counts.yaml': slow, 'slow.ts': handlers });
    const env = { MODEL_URL: model.url };
    const running = begin(['run', 'counts.yaml'], { cwd, env });
    const call = { ...toolCall.tool_calls[0], function: { name: 'slow_read', arguments: '{"folder":"."}' } };
    (await model.next()).reply({ content: null, tool_calls: [call] });
    await running.said('reading');
    await interrupt(running);
    openThe(cwd);
    const { code, stderr } = await running.ended;
    expect(code).toBe(130);
    expect(begunAfter(stderr)).toEqual([]);
    expect(model.count()).toBe(1);

    const resumed = reconverge(['resume', 'latest'], { cwd, env });
    const second = await model.next();
    expect(second.body).toContain('\\"files\\":3');
    second.reply({ content: '{"count": 3}' });
    expect((await resumed).code).toBe(0);
    expect(readFileSync(join(cwd, 'calls.log'), 'utf8')).toBe('read ');
  });

  it('a wait that the server asked for ends, and the request is neither sent nor charged', async () => {
    const { cwd, model, running } = await begun();
    (await model.next()).refuse(429, { 'retry-after': '50' });
    await running.said('call 1.2');
    await interrupt(running);
    expect((await running.ended).code).toBe(130);
    expect(model.count()).toBe(1);
    const why = await call(['why', 'latest', 'look'], { cwd });
    expect(why.stdout).toMatch(/call 1\.2 .*CALL_NOT_MADE: the run was stopped before this call began/);
    expect((await call(['show', 'latest'], { cwd })).stdout).toContain('1 of 10 LLM calls');
  });

  it('a plan that arrives is kept, and none of its steps begins before the run is resumed', async () => {
    const { cwd, model, env, running } = await begun(`reconverge: 1
name: counts
models: { default: { model: small, base_url: "\${env.MODEL_URL}", prices: { input: $0, output: $0 } } }
capabilities: [catalog]
roots: [.]
steps:
  - { name: plan, type: planning, planner: { kind: llm }, goal: List the files of the folder., convergence_target: end }
  - { name: end, type: deferred, dependencies: [plan] }
`);
    const first = await model.next();
    await interrupt(running);
    const fragment = {
      rationale: 'One call.',
      steps: [{ name: 'list', capability: 'files.list', input: { folder: '.' } }],
    };
    first.reply({ content: JSON.stringify(fragment) });
    const { code, stderr } = await running.ended;
    expect(code).toBe(130);
    expect(begunAfter(stderr)).toEqual([]);
    const resumed = await reconverge(['resume', 'latest'], { cwd, env });
    expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining('1 of 10 LLM calls') });
    expect(model.count()).toBe(1);
  });

  it('a second Ctrl-C ends a running request at once, and it is sent again when the run is resumed', async () => {
    const { cwd, model, env, running } = await begun();
    await model.next();
    await interrupt(running);
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    const resumed = reconverge(['resume', 'latest'], { cwd, env });
    (await model.next()).reply({ content: '{"count": 1}' });
    expect((await resumed).code).toBe(0);
    expect(model.count()).toBe(2);
  });
});
