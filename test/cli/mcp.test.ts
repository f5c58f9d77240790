// MCP on the command line: templates served as tools to the official client, and servers that only --live and runs contact.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { rogueScript } from '../capabilities/mcp/given-servers.ts';
import { patience } from '../patience.ts';
import { begin, call, commandLine, project } from './reconverge.ts';

const double = `
reconverge: 1
name: double
description: Doubles a number.
input: { type: object, required: [n], properties: { n: { type: integer, description: Any number. } } }
output: { doubled: "{{ results.twice }}" }
steps:
  - { name: twice, type: compute, expr: "(* 2 (:n data/input))" }
`;

const ask = `
reconverge: 1
name: ask first
capabilities: [./handlers.ts]
output: "{{ results.say }}"
steps:
  - name: ask
    type: human_review
    prompt: Shall it be said?
    decision: { type: object, required: [approved], properties: { approved: { type: boolean }, word: { type: string } } }
  - { name: say, handler: mouth.say, input: { word: "{{ results.ask.word }}" } }
`;

const handlers = `
import { defineCapability } from 'reconverge';
process.stdout.write('loaded\\n');
export const say = defineCapability({
  name: 'mouth.say', description: 'Says.', input: '{word :string}', effects: ['output'],
  run({ word }) { console.log(word); process.stdout.write('said\\n'); return { word }; },
});
`;

const hold = `
reconverge: 1
name: hold
capabilities: [./handlers.ts]
steps:
  - { name: hold, handler: mouth.hold, timeout: 10m }
`;

const holding = `
import { defineCapability } from 'reconverge';
export const hold = defineCapability({
  name: 'mouth.hold', description: 'Holds until it is stopped.', effects: ['read'],
  run: (_, { signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
});
`;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

interface Answer {
  readonly isError?: boolean;
  readonly structuredContent?: { readonly [key: string]: unknown };
  readonly content: readonly { readonly text?: string }[];
}

/** A client of a server in this folder; it records any output that is not a message as an error. */
async function clientIn(cwd: string, ...words: readonly string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [commandLine(), 'mcp', ...words],
    cwd,
    stderr: 'pipe',
  });
  const client = new Client({ name: 'assistant', version: '1' });
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  onTestFinished(() => client.close());
  await client.connect(transport);
  const use = async (name: string, input: object = {}) =>
    (await client.callTool({ name, arguments: { ...input } })) as unknown as Answer;
  return { client, use, errors, pid: transport.pid ?? 0 };
}

describe('reconverge mcp', () => {
  it('offers each template with its input contract, and the tools for runs', async () => {
    const { client } = await clientIn(
      project({ 'a.yaml': double, 'b.yaml': ask, 'handlers.ts': handlers }),
      'a.yaml',
      'b.yaml',
    );
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['double', 'ask_first', 'run_status', 'run_result', 'review_gate']);
    expect(tools[0]).toMatchObject({
      description: expect.stringContaining('Doubles a number.'),
      inputSchema: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } },
      annotations: { readOnlyHint: true },
    });
  });

  it('answers the result of a short run at once, and again later on request', async () => {
    const { use } = await clientIn(project({ 'template.yaml': double }));
    const started = await use('double', { n: 21 });
    expect(started.structuredContent).toMatchObject({ status: 'completed', output: { doubled: 42 }, partial: false });
    expect(JSON.parse(started.content[0]?.text ?? '')).toEqual(started.structuredContent);
    const { run } = started.structuredContent ?? {};
    expect((await use('run_status', { run })).structuredContent).toMatchObject({ run, steps: { completed: 1 } });
    expect((await use('run_result', { run: 'latest' })).structuredContent).toMatchObject({ output: { doubled: 42 } });
  });

  it('lets people answer: reports the gate, takes the answer, and continues', async () => {
    const cwd = project({ 'template.yaml': ask, 'handlers.ts': handlers });
    const { use, errors } = await clientIn(cwd);
    const { structuredContent: waiting = {} } = await use('ask_first');
    expect(waiting).toMatchObject({
      status: 'waiting',
      gates: [{ gate: 'g1', step: 'ask', prompt: 'Shall it be said?' }],
    });
    const review = { run: waiting.run, gate: 'g1', verdict: 'answer' };
    const wrong = await use('review_gate', { ...review, value: { approved: 'perhaps' } });
    expect(wrong).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('approved') }] });
    const answered = await use('review_gate', {
      ...review,
      value: { approved: true, word: 'aye' },
      why: 'they agreed',
    });
    expect(answered.structuredContent).toMatchObject({ status: 'completed', output: { word: 'aye' } });
    const why = await call(['why', String(waiting.run), 'ask'], { cwd });
    expect(why.stdout).toContain('mcp:assistant');
    expect(errors).toEqual([]);
  });

  it('does not wait for a long run, nor for a run that no process drives', async () => {
    const { use } = await clientIn(project({ 'template.yaml': hold, 'handlers.ts': holding }), '--wait', '10ms');
    const { structuredContent: started = {} } = await use('hold');
    expect(started).toMatchObject({ status: 'running' });
    expect(started).not.toHaveProperty('output');
    expect((await use('run_result', { run: started.run })).structuredContent).toMatchObject({ status: 'running' });
  });

  it('reports invalid requests, and keeps serving', async () => {
    const { use } = await clientIn(project({ 'template.yaml': double }), '--no-review');
    const text = async (name: string, input: object) => {
      const { isError, content } = await use(name, input);
      return `${isError} ${content[0]?.text}`;
    };
    const refused = await text('double', { n: 'many' });
    expect(refused).toContain('true INPUT_INVALID');
    expect(refused).not.toContain('--input');
    expect(await text('run_status', { run: 'nope' })).toContain('true RUN_UNKNOWN');
    expect(await text('run_result', {})).toContain('true INPUT_INVALID');
    expect(await text('review_gate', { run: 'latest', gate: 'g1', verdict: 'approve' })).toContain('true TOOL_UNKNOWN');
    expect((await use('double', { n: 1 })).structuredContent).toMatchObject({ output: { doubled: 2 } });
  });

  it('leaves a run to be resumed when the client disconnects', async () => {
    const cwd = project({ 'template.yaml': hold, 'handlers.ts': holding });
    const { client, use } = await clientIn(cwd, '--wait', '10ms');
    await use('hold');
    await client.close();
    const { runs } = JSON.parse((await call(['runs', '--json'], { cwd })).stdout);
    expect(runs).toMatchObject([{ template: 'hold', status: 'interrupted' }]);
  });

  it('prints the tools it would serve, and refuses unsuitable templates', async () => {
    const cwd = project({
      'a.yaml': double,
      'b.yaml': double,
      'c.yaml': 'reconverge: 1\n',
      'd.yaml': double.replace('name: double', 'name: run_status'),
    });
    const printed = await call(['mcp', 'a.yaml', '--json'], { cwd });
    expect(JSON.parse(printed.stdout).tools[0]).toMatchObject({ name: 'double' });
    expect((await call(['mcp', 'a.yaml', 'b.yaml'], { cwd })).stderr).toContain('MCP_NAME_TAKEN');
    expect((await call(['mcp', 'd.yaml'], { cwd })).stderr).toContain('MCP_NAME_TAKEN');
    expect(await call(['mcp', 'c.yaml'], { cwd })).toMatchObject({ code: 1, stdout: '' });
    expect(await call(['mcp'], { cwd })).toMatchObject({ code: 2 });
    expect(await call(['mcp', 'a.yaml', '--wait', 'long'], { cwd })).toMatchObject({ code: 2 });
  });
});

describe('a template with MCP servers', () => {
  const calling = (step: string, mode = 'plain', calls = 'calls') => `
reconverge: 1
name: calls-servers
capabilities:
  - mcp: { name: rogue, command: ${JSON.stringify(process.execPath)}, args: ${JSON.stringify([rogueScript, mode, calls])} }
steps:
  - ${step}
`;

  it('is validated without starting a server, unless --live is given', async () => {
    const cwd = project({ 'plan.yaml': calling('{ name: ask, handler: rogue.ecko }') });
    const first = await call(['validate', 'plan.yaml'], { cwd });
    expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('MCP_NOT_LISTED') });
    const live = await call(['validate', 'plan.yaml', '--live'], { cwd });
    expect(live).toMatchObject({ code: 1, stderr: expect.stringContaining('did you mean "rogue.echo"?') });
    const again = await call(['validate', 'plan.yaml'], { cwd });
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('did you mean "rogue.echo"?') });
    expect((await call(['explain', 'plan.yaml'], { cwd })).code).toBe(1);
  });

  it('is not reported for duplicating a catalog tool while its server has not been contacted', async () => {
    const text = calling('{ name: ask, handler: csv.read, input: { path: a.csv } }').replace(
      'name: rogue',
      'name: csv',
    );
    const cwd = project({ 'plan.yaml': text.replace('  - mcp:', '  - catalog\n  - mcp:') });
    const looked = await call(['validate', 'plan.yaml'], { cwd });
    expect(looked).toMatchObject({ code: 0, stderr: expect.stringContaining('MCP_NOT_LISTED') });
    expect(looked.stderr).not.toContain('CAPABILITY_DUPLICATE');
  });

  it('lists the tools of its servers', async () => {
    const cwd = project({ 'plan.yaml': calling('{ name: ask, handler: rogue.echo }') });
    const { stdout } = await call(['explain', 'plan.yaml', '--live'], { cwd });
    expect(stdout).toMatch(/^rogue\.die_reading +read/m);
    expect(stdout).toMatch(/^rogue\.hang +write/m);
  });

  it('stops its servers when the command is stopped before they answer', async () => {
    const cwd = project({ 'plan.yaml': calling('{ name: ask, handler: rogue.echo }', 'mute-and-stubborn') });
    const running = begin(['validate', 'plan.yaml', '--live'], { cwd });
    await expect.poll(() => existsSync(join(cwd, 'calls.pid')), patience).toBe(true);
    const { pid } = JSON.parse(readFileSync(join(cwd, 'calls.pid'), 'utf8'));
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBeNull();
    // The orphaned process is gone for good once its new parent has noticed its exit.
    await expect.poll(() => isAlive(pid), patience).toBe(false);
  });

  it('stops its servers with the run, also when a person stops the run', async () => {
    const cwd = project({ 'plan.yaml': calling('{ name: ask, handler: rogue.hang, timeout: 10m }', 'stubborn') });
    const running = begin(['run', 'plan.yaml'], { cwd });
    await running.said('attempt.started');
    const called = () => existsSync(join(cwd, 'calls')) && readFileSync(join(cwd, 'calls'), 'utf8').startsWith('hang');
    await expect.poll(called, patience).toBe(true);
    const { pid } = JSON.parse(readFileSync(join(cwd, 'calls.pid'), 'utf8'));
    expect(isAlive(pid)).toBe(true);
    running.child.kill('SIGINT');
    await running.said('Ctrl-C again');
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    expect(isAlive(pid)).toBe(false);
  });
});
