// Servers that refuse features, and models that cannot be reached, as the command line shows them.
import { afterEach, describe, expect, it } from 'vitest';
import { type ModelServer, openModelServer } from '../../src/testing/model-server.ts';
import { begin, call, project } from './reconverge.ts';

const template = `reconverge: 1
name: count-files
models:
  default: { model: small, base_url: "\${env.MODEL_URL}", prices: { input: $0, output: $0 }, max_retries: 0 }
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
    agent: reader
    dependencies: [look]
    description: Count the files once more.
    input: { folder: . }
`;

const asCall = { text: '{"call": {"name": "files_list", "arguments": {"folder": "."}}}' };
const asAnswer = { text: '{"answer": {"count": 1}}' };

let servers: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

async function serverWith(options: Parameters<typeof openModelServer>[0]): Promise<ModelServer> {
  const server = await openModelServer(options);
  servers.push(server);
  return server;
}

describe('a server without tools', () => {
  it('runs agents with tools, is named once in a run, and is not tried again by a later process', async () => {
    const replies = [asCall, asAnswer, asCall, asAnswer];
    const script = [...replies, ...replies].map((reply) => ({ reply }));
    const server = await serverWith({ script, refuses: ['tools'] });
    const cwd = project({ 'count.yaml': template });
    const env = { MODEL_URL: server.url };
    const first = await call(['run', 'count.yaml'], { cwd, env });
    expect(first).toMatchObject({ code: 0 });
    const said = 'the server of the model default does not take tools; requests go without';
    expect(`${first.stdout}${first.stderr}`.split(said)).toHaveLength(2);
    const why = await call(['why', 'latest', 'look'], { cwd });
    expect(why.stdout).toMatch(/call 1\.1 +model default \(turn\).*MODEL_FORMAT_UNSUPPORTED/);
    expect(why.stdout).toMatch(/call 1\.3 +capability files\.list/);
    expect(server.requests).toHaveLength(5);
    // A new process: only the store remembers.
    const second = begin(['run', 'count.yaml'], { cwd, env });
    expect(await second.ended).toMatchObject({ code: 0 });
    expect(server.requests.slice(5).filter(({ body }) => JSON.stringify(body).includes('"tools"'))).toEqual([]);
    expect(server.unused()).toEqual([]);
  });
});

describe('a model with a fallback', () => {
  it('is replaced when it cannot be reached, and `why` names both', async () => {
    const gone = await openModelServer();
    await gone.close();
    const server = await serverWith({ script: [{ reply: { text: 'Good day.' } }] });
    const cwd = project({
      'greet.yaml': `reconverge: 1
name: greet
models:
  default: { model: small, base_url: "${gone.url}", prices: { input: $0, output: $0 }, max_retries: 0, fallback: [backup] }
  backup: { model: large, base_url: "${server.url}", prices: { input: $0, output: $0 } }
steps:
  - { name: greet, agent: default, description: Say hello. }
`,
    });
    const ended = await call(['run', 'greet.yaml'], { cwd });
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('2 of 10 LLM calls') });
    const { stdout } = await call(['why', 'latest', 'greet'], { cwd });
    expect(stdout).toMatch(/call 1\.1 +model default \(turn\).*MODEL_UNAVAILABLE/);
    expect(stdout).toMatch(/call 1\.2 +model backup \(turn\)/);
  });
});
