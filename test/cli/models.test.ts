// Models from the command line: a run with a real server, the record of each call, a cassette, and the messages without a model.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Script } from '../../src/llm/script.ts';
import { type ModelServer, openModelServer } from '../../src/testing/model-server.ts';
import { patience } from '../patience.ts';
import { begin, call, project } from './reconverge.ts';

const SECRET = 'sk-test-not-to-be-seen';
const template = `reconverge: 1
name: count-files
models:
  default: { model: gpt-5-mini, base_url: "\${env.MODEL_URL}", api_key: "\${secret.MODEL_KEY}" }
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
    judge: The count is that of the listing.
  - name: plan
    type: planning
    dependencies: [look]
    planner: { kind: llm }
    goal: List the folder once more.
    convergence_target: end
  - name: end
    type: deferred
    dependencies: [plan]
`;

const listing = { name: 'list', capability: 'files.list', input: { folder: '.' } };
const script: Script = [
  {
    when: { system: 'You count files', turn: 1 },
    reply: { toolCalls: [{ name: 'files_list', arguments: { folder: '.' } }] },
  },
  { when: { system: 'You count files' }, reply: { json: { count: 1 } } },
  { when: { system: 'You review' }, reply: { json: { passes: true, diagnosis: '' } } },
  { when: { system: 'You plan' }, reply: { fail: { status: 429, retryAfter: 1 } } },
  { when: { system: 'You plan' }, reply: { json: { steps: [{ ...listing, capability: 'files.lst' }] } } },
  {
    when: { system: 'You plan', contains: 'files.lst' },
    reply: { json: { rationale: 'to be sure', steps: [listing] } },
  },
];

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function recorded() {
  server = await openModelServer({ script, key: SECRET });
  const cwd = project({ 'count.yaml': template });
  const env = { MODEL_URL: server.url, MODEL_KEY: SECRET };
  const ended = await call(['run', 'count.yaml', '--record', 'tapes/count.json'], { cwd, env });
  return { cwd, env, ended };
}

describe('a run that calls models', () => {
  it('repairs an invalid plan with its issues, and reports the purpose and cost of every call', async () => {
    const { cwd, ended } = await recorded();
    expect(ended).toMatchObject({ code: 0 });
    expect(server?.unused()).toEqual([]);
    expect(ended.stdout).toContain('6 of 10 LLM calls');
    const look = await call(['why', 'latest', 'look'], { cwd });
    expect(look.stdout).toMatch(/call 1\.1 +model default \(turn\).*1 llm_call/);
    expect(look.stdout).toMatch(/call 1\.2 +capability files\.list/);
    expect(look.stdout).toMatch(/call 1\.4 +model default \(judge\)/);
    const plan = await call(['why', 'latest', 'plan'], { cwd });
    expect(plan.stdout).toMatch(/call 1\.1 +model default \(plan\).*MODEL_RATE_LIMITED/);
    expect(plan.stdout).toContain('FRAGMENT_UNKNOWN_CAPABILITY');
    const budget = await call(['budget', 'latest'], { cwd });
    expect(budget.stdout).toMatch(/model default: asked 6 times: 6 llm_calls, \d+ tokens_in/);
  });

  it('shows the prompt of a call and the raw reply', async () => {
    const { cwd } = await recorded();
    const { stdout } = await call(['why', 'latest', 'plan', '--call', '2.1', '--json'], { cwd });
    const shown = JSON.parse(stdout);
    expect(shown.prompt).toMatch(/^llm-planner@\d+ /);
    expect(shown.request.messages.at(-1).content).toContain('did you mean "files.list"?');
    expect(JSON.parse(shown.reply.text)).toMatchObject({ rationale: 'to be sure' });
    expect(shown.prefix).toMatchObject({ step: 'plan', call: '1.2', messages: 2 });
    expect(shown.prefix.share).toBeGreaterThan(0.8);
    expect(shown.rest.map(({ role }: { role: string }) => role)).toEqual(['assistant', 'user']);
    const first = JSON.parse((await call(['why', 'latest', 'plan', '--call', '1.1', '--json'], { cwd })).stdout);
    expect(first).not.toHaveProperty('prefix');
    expect(first.rest).toHaveLength(2);
    const unknown = await call(['why', 'latest', 'plan', '--call', '9'], { cwd });
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('its calls are 1.1, 1.2, 2.1') });
  });

  it('shows a call as a conversation for people', async () => {
    const { cwd } = await recorded();
    const { stdout } = await call(['why', 'latest', 'plan', '--call', '2.1'], { cwd });
    expect(stdout).toMatch(/^call 2\.1 {2}model default \(plan\)/);
    expect(stdout).toMatch(/begins with the same \d+ % as call 1\.2 of plan, which servers may keep in their caches/);
    expect(stdout).toContain('\nsystem  as in call 1.2\n  You plan the next part of a running workflow.');
    expect(stdout).toMatch(/\nuser\n {2}Your fragment was rejected:\n {2}- .*did you mean "files\.list"\?/);
    expect(stdout).toMatch(/\nreply\n {2}\{.*to be sure/s);
    const turn = await call(['why', 'latest', 'look', '--call', '1.1'], { cwd });
    expect(turn.stdout).toMatch(/\nreply {2}tool_calls\n {2}calls files_list \{/);
    const tool = await call(['why', 'latest', 'look', '--call', '1.2'], { cwd });
    expect(tool.stdout).toMatch(/^call 1\.2 {2}capability files\.list.*\nrequest\n {2}\{/s);
  });

  it('replays from its cassette without a key or a server, with the same result', async () => {
    const { cwd } = await recorded();
    await server?.close();
    const again = await call(['run', 'count.yaml', '--replay', 'tapes/count.json'], { cwd });
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('6 of 10 LLM calls') });
    const results = await call(['show', 'latest', '--result', 'look'], { cwd });
    expect(JSON.parse(results.stdout)).toEqual({ count: 1 });
  });

  it('keeps its key out of the store, the cassette and all output', async () => {
    const { cwd, ended } = await recorded();
    const written = ['tapes/count.json', '.reconverge/runs.db', '.reconverge/runs.db-wal'].map((file) => {
      try {
        return readFileSync(join(cwd, file), 'latin1');
      } catch {
        return '';
      }
    });
    expect([...written, ended.stdout, ended.stderr].join('')).not.toContain(SECRET);
  });
});

describe('a cassette', () => {
  it('holds the whole run even if its process was killed in the middle', async () => {
    const slow: Script = [
      { when: { contains: 'Say A' }, reply: { text: 'A' } },
      { when: { contains: 'Say B' }, reply: { fail: { stall: 'B' } } },
      { when: { contains: 'Say B' }, reply: { text: 'B' } },
    ];
    server = await openModelServer({ script: slow });
    const cwd = project({
      'say.yaml': `
reconverge: 1
name: say
models: { default: { model: gpt-5-mini, prices: { input: $0, output: $0 } } }
steps:
  - { name: a, agent: default, description: Say A. }
  - { name: b, agent: default, description: Say B., after: a }
`,
    });
    const env = { OPENAI_BASE_URL: server.url };
    const running = begin(['run', 'say.yaml', '--record', 'tape.json'], { cwd, env });
    await vi.waitFor(() => expect(server?.requests).toHaveLength(2), patience);
    running.child.kill('SIGKILL');
    await running.ended;
    const ended = await call(['resume', 'latest', '--record', 'tape.json', '--quiet'], { cwd, env });
    expect(ended).toMatchObject({ code: 0 });
    expect(await call(['run', 'say.yaml', '--replay', 'tape.json'], { cwd })).toMatchObject({ code: 0 });
  });

  it('fails a request that was not recorded, and shows the first difference', async () => {
    const { cwd } = await recorded();
    const changed = project({
      'count.yaml': template.replace('Count the files', 'Count all files'),
      'tape.json': readFileSync(join(cwd, 'tapes/count.json'), 'utf8'),
    });
    const { code, stdout } = await call(['run', 'count.yaml', '--replay', 'tape.json'], { cwd: changed });
    expect(code).toBe(1);
    expect(stdout).toContain('CASSETTE_MISS');
    expect(stdout).toContain('messages.1.content at character');
    expect(stdout).toMatch(/asked "Task: Count all files/);
    expect(stdout).toContain('record the run again with --record');
  });

  it.each([
    ['is of another template', template.replace('count-files', 'count-folders'), undefined, 'CASSETTE_OTHER_TEMPLATE'],
    ['is no cassette', template, '{"some": "thing"}', 'CASSETTE_UNREADABLE'],
    ['is cut off', template, '{"cassette": 1, "exch', 'CASSETTE_UNREADABLE'],
  ])('is refused before anything runs when it %s', async (_, text, tape, code) => {
    const { cwd: from } = tape === undefined ? await recorded() : { cwd: '' };
    const cwd = project({
      'count.yaml': text,
      'tape.json': tape ?? readFileSync(join(from, 'tapes/count.json'), 'utf8'),
    });
    const ended = await call(['run', 'count.yaml', '--replay', 'tape.json'], { cwd });
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(code) });
    expect(JSON.parse((await call(['runs', '--json'], { cwd })).stdout)).toEqual({ runs: [] });
  });
});

describe('without a model', () => {
  const bare = template.replace(/models:\n.*\n/, '');
  const asks = `
reconverge: 1
name: ask
steps:
  - { name: agree, type: human_review, prompt: Shall it be asked? }
  - { name: tell, agent: default, description: Tell., after: agree }
`;

  it('names the variables to set', async () => {
    const cwd = project({ 'count.yaml': bare });
    const { code, stderr } = await call(['run', 'count.yaml'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain('MODEL_NOT_CONFIGURED');
    expect(stderr).toContain('set OPENAI_API_KEY (or OPENAI_BASE_URL) and RECONVERGE_MODEL');
  });

  it('uses the model that the environment names', async () => {
    server = await openModelServer({ script });
    const cwd = project({ 'count.yaml': bare });
    const env = { RECONVERGE_MODEL: 'gpt-5-mini', OPENAI_BASE_URL: server.url };
    expect(await call(['run', 'count.yaml'], { cwd, env })).toMatchObject({ code: 0 });
  });

  it('does not start if the named model has no key', async () => {
    const cwd = project({ 'count.yaml': template });
    const { code, stderr } = await call(['run', 'count.yaml'], { cwd, env: { MODEL_URL: 'http://127.0.0.1:9/v1' } });
    expect(code).toBe(1);
    expect(stderr).toMatch(/MODEL_NOT_CONFIGURED: .*MODEL_KEY/);
  });

  it('does not resume either: the run keeps waiting, and loses nothing', async () => {
    server = await openModelServer({ script: [{ reply: { text: 'done' } }] });
    const cwd = project({ 'ask.yaml': asks });
    const env = { RECONVERGE_MODEL: 'gpt-5-mini', OPENAI_BASE_URL: server.url };
    expect(await call(['run', 'ask.yaml'], { cwd, env })).toMatchObject({ code: 3 });
    const forgotten = await call(['review', 'latest', 'g1', '--approve'], { cwd });
    expect(forgotten).toMatchObject({ code: 1, stderr: expect.stringContaining('MODEL_NOT_CONFIGURED') });
    expect(await call(['review', 'latest', 'g1', '--approve'], { cwd, env })).toMatchObject({ code: 0 });
    expect(server.requests).toHaveLength(1);
  });

  it('can still be cancelled', async () => {
    const cwd = project({ 'ask.yaml': asks });
    const env = { RECONVERGE_MODEL: 'gpt-5-mini', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' };
    await call(['run', 'ask.yaml'], { cwd, env });
    await call(['cancel', 'latest'], { cwd });
    expect((await call(['show', 'latest'], { cwd })).stdout).toContain('cancelled ask');
  });
});
