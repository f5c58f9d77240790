// doctor --models: what each kind of server can do, what happens instead, and what keeps a model from being asked.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { Script } from '../../src/llm/script.ts';
import type { ModelServer, ModelServerOptions, ServerKind } from '../../src/testing/index.ts';
import { serverKinds } from '../../src/testing/index.ts';
import { call, project } from './reconverge.ts';
import { serverWith } from './served-model.ts';

const always = { times: 'always' } as const;
const callOf = (city: string) => ({ name: 'weather_in', arguments: { city } });
const used = { input: 100, output: 10 };

/** A model that does as it is told. */
const script: Script = [
  { when: { contains: 'the word: ready' }, reply: { text: 'ready', usage: used }, ...always },
  {
    when: { contains: 'capital of France' },
    reply: { json: { city: 'Paris', country: 'France' }, usage: used },
    ...always,
  },
  {
    when: { contains: 'both cities', tool: 'weather_in' },
    reply: { toolCalls: [callOf('Oslo'), callOf('Rome')], usage: used },
    ...always,
  },
  { when: { contains: 'both cities' }, reply: { json: { call: callOf('Oslo') }, usage: used }, ...always },
  {
    when: { contains: 'Oslo', tool: 'weather_in', turn: 1 },
    reply: { toolCalls: [callOf('Oslo')], usage: used },
    ...always,
  },
  { when: { contains: 'Oslo', turn: 1 }, reply: { json: { call: callOf('Oslo') }, usage: used }, ...always },
  { when: { contains: 'Oslo' }, reply: { text: 'Sunny.', usage: used }, ...always },
  { when: { contains: 'Count' }, reply: { text: 'one two three', usage: used }, ...always },
];

function askedServer(options: ModelServerOptions): Promise<ModelServer> {
  return serverWith({ script, ...options });
}

/** @param keys further keys of the profile */
function templateOf({ model, url }: Pick<ModelServer, 'model' | 'url'>, keys = ''): string {
  return `reconverge: 1
name: greet
models:
  default: { model: "${model}", base_url: "${url}", prices: { input: $1, output: $2 }, max_retries: 0${keys} }
steps:
  - { name: greet, agent: default, description: Say the word: ready }
`.replace('Say the word: ready', '"Say the word: ready"');
}

interface Asked {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function doctor(template: string, words: readonly string[] = [], cwd = project({ 'template.yaml': template })) {
  return (await call(['doctor', '--models', ...words], {
    cwd,
    env: { OPENAI_API_KEY: '', RECONVERGE_MODEL: '' },
  })) as Asked;
}

interface Answered {
  readonly usable: boolean;
  readonly questions: readonly { readonly question: string; readonly outcome: string; readonly detail: string }[];
  readonly refuses: readonly { readonly what: string }[];
  readonly parameters: readonly JsonObject[];
  readonly requests: number;
  readonly refused: number;
  readonly tokens_in: number;
  readonly cost_usd: number;
  readonly failure?: { readonly code: string; readonly message: string; readonly hint?: string };
}

function answerIn({ stdout }: Asked): Answered {
  const { models } = JSON.parse(stdout) as { models: readonly [Answered] };
  return models[0];
}

/** The outcomes that differ from "yes". */
const others: Readonly<Partial<Record<ServerKind, JsonObject>>> = {
  deepseek: { JSON: 'substitute' },
  'openrouter-without-tools': { tools: 'substitute', 'several tools': 'substitute' },
  'ollama-without-tools': { tools: 'substitute', 'several tools': 'substitute' },
  'vllm-without-flags': { tools: 'substitute', 'several tools': 'substitute' },
  'llama-cpp-without-jinja': { tools: 'substitute', 'several tools': 'substitute' },
  strict: { JSON: 'substitute', 'last turn': 'substitute' },
};
const allYes = { text: 'yes', JSON: 'yes', tools: 'yes', 'several tools': 'yes', 'last turn': 'yes', stream: 'yes' };

describe.each(serverKinds)('doctor --models on a server like %s', (like) => {
  it('tells what the model can do, and tries again what was refused before', async () => {
    const server = await askedServer({ like });
    const cwd = project({ 'template.yaml': templateOf(server) });
    const first = answerIn(await doctor('', ['--json'], cwd));
    const outcomes = Object.fromEntries(first.questions.map(({ question, outcome }) => [question, outcome]));
    expect(outcomes).toEqual({ ...allYes, ...others[like] });
    expect(first.usable).toBe(true);
    const refused = server.requests.filter(({ status }) => status !== 200).length;
    expect(first).toMatchObject({ requests: server.requests.length, refused });
    const second = answerIn(await doctor('', ['--json'], cwd));
    expect(second).toMatchObject({ requests: first.requests, refused: first.refused, refuses: first.refuses });
  });
});

describe('doctor --models', () => {
  it('says before it asks what that costs at most, and afterwards what it cost', async () => {
    const server = await askedServer({ like: 'ollama' });
    const { code, stdout, stderr } = await doctor(templateOf(server));
    expect(code).toBe(0);
    expect(stderr).toMatch(/^asking default 6 questions, which cost at most [\d,]+ tokens and \$0\.\d+\n$/);
    expect(stdout).toMatch(/^default: qwen3:8b at http:\/\/127\.0\.0\.1:\d+\/v1 \(template\.yaml\)\n/);
    expect(stdout).toMatch(/ {2}✓ several tools {2}2 calls in one answer {2}\d+ms\n/);
    expect(stdout).toMatch(/ {2}6 requests \(chat completions\), 660 tokens, .*\$0\.000720\n$/);
    const bound = Number(/\$([\d.]+)/.exec(stderr)?.[1]);
    expect(bound).toBeGreaterThan(0.00072);
    const limits = server.requests.map(({ body }) => (body as { max_tokens?: number }).max_tokens);
    expect(new Set(limits)).toEqual(new Set([1_000]));
  });

  it('remembers for later runs what a server refuses', async () => {
    const server = await askedServer({ like: 'ollama-without-tools' });
    const cwd = project({ 'template.yaml': templateOf(server) });
    const { stdout } = await doctor('', [], cwd);
    expect(stdout).toContain('  ~ tools          called by data in the answer');
    expect(stdout).toContain('  ~ it does not take tools: agents call their tools by data in their answers');
    const before = server.requests.length;
    expect(await call(['run', 'template.yaml'], { cwd })).toMatchObject({ code: 0 });
    expect(server.requests.slice(before).map(({ status }) => status)).toEqual([200]);
  });

  it('names the parameters that are sent, and those that are left out', async () => {
    const server = await askedServer({ like: 'mistral' });
    const asked = answerIn(await doctor(templateOf(server, ', temperature: 0.2, seed: 7'), ['--json']));
    expect(asked.parameters).toEqual([
      { parameter: 'temperature: 0.2', sent: true },
      { parameter: 'seed: 7', sent: false },
    ]);
    expect(asked.refuses.map(({ what }) => what)).toContain('seed');
  });

  it('finds a schema that is taken and not kept to, and a model that calls no tools', async () => {
    const prose = { text: 'It is Paris: {"city": "Paris", "country": "France"}, I think.', usage: 'untold' } as const;
    const weak: Script = [
      { when: { contains: 'capital of France' }, reply: prose },
      { when: { contains: 'weather' }, reply: { text: 'I cannot know that.' }, ...always },
      ...script,
    ];
    const server = await askedServer({ script: weak });
    const { code, stdout } = await doctor(templateOf(server));
    expect(code).toBe(0);
    expect(stdout).toContain('~ JSON           JSON schema: taken, but not kept to');
    expect(stdout).toContain('✗ tools          called no tool; answered "I cannot know that."');
    expect(stdout).toContain('it reports no usage: tokens are estimated');
    expect(stdout).not.toContain('last turn');
  });

  it('goes on after a question that fails, and gives up a model that never answers', async () => {
    const odd = { status: 400, message: 'Invalid schema: nobody knows why' };
    const server = await askedServer({
      script: [{ when: { contains: 'both cities' }, reply: { fail: odd } }, ...script],
    });
    const fine = await doctor(templateOf(server));
    expect(fine).toMatchObject({ code: 0, stdout: expect.stringContaining('nobody knows why') });
    expect(fine.stdout).toContain('✓ stream');
    const dead = await askedServer({ script: [{ reply: { fail: { status: 500 } }, ...always }] });
    const asked = await doctor(templateOf(dead));
    expect(asked).toMatchObject({ code: 1, stdout: expect.stringContaining('✗ MODEL_UNAVAILABLE') });
    expect(dead.requests).toHaveLength(1);
  });
});

describe('doctor --models with a model that cannot be asked', () => {
  it('says that the server is not there, and how to start it', async () => {
    const gone = await askedServer({});
    await gone.close();
    const { code, stdout } = await doctor(templateOf(gone));
    expect(code).toBe(1);
    expect(stdout).toContain('cannot be reached (ECONNREFUSED)');
    expect(stdout).toContain('hint: start the server, or correct `base_url` of the model default in template.yaml');
  });

  it('says which key is missing, without asking', async () => {
    const template = 'reconverge: 1\nname: a\nmodels: { default: { model: gpt-5-mini } }\n';
    const asked = await doctor(`${template}steps: [{ name: a, agent: default, description: Hi. }]\n`);
    expect(asked).toMatchObject({ code: 1, stderr: '' });
    expect(asked.stdout).toContain('MODEL_NOT_CONFIGURED: the model default cannot be asked: there is no key');
  });

  it('says that a key is wrong, without the key', async () => {
    const server = await askedServer({ like: 'openai', key: 'right' });
    const { code, stdout } = await doctor(templateOf(server, ', api_key: wrong-key-123'));
    expect(code).toBe(1);
    expect(stdout).toContain('MODEL_ACCESS_REFUSED');
    expect(stdout).not.toContain('wrong-key-123');
  });

  it.each<[ServerKind, string]>([
    ['ollama', 'qwen3'],
    ['deepseek', 'deepseek-v4'],
    ['openai', 'gpt-5.5'],
  ])('names the models of a server like %s when the model is not there', async (like, model) => {
    const server = await askedServer({ like });
    const { failure } = answerIn(await doctor(templateOf({ ...server, model }), ['--json']));
    expect(failure?.hint).toContain(`the server has ${server.model}`);
  });

  it('finds out that the address lacks /v1', async () => {
    const server = await askedServer({ like: 'ollama' });
    const url = server.url.replace('/v1', '');
    const { failure } = answerIn(await doctor(templateOf({ ...server, url }), ['--json']));
    expect(failure?.hint).toBe(
      `its address lacks /v1: write ${server.url} as \`base_url\` of the model default in template.yaml`,
    );
  });
});

describe('the names after doctor --models', () => {
  it('choose profiles and templates', async () => {
    const server = await askedServer({ like: 'vllm' });
    const two = templateOf(server).replace(/ {2}default: (.*)/, '  default: $1\n  other: $1');
    const cwd = project({ 'one.yaml': two });
    const { stdout } = await doctor('', ['other', 'one.yaml'], cwd);
    expect(stdout).toMatch(/^other: /);
    expect(stdout).not.toContain('default: ');
    expect(server.requests).toHaveLength(6);
    const wrong = await doctor('', ['othr', 'one.yaml'], cwd);
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('did you mean "other"?') });
  });

  it('are refused without --models, and --models is refused with --untrusted', async () => {
    const cwd = project();
    expect(await call(['doctor', 'default'], { cwd })).toMatchObject({ code: 2 });
    expect(await call(['doctor', '--models', '--untrusted'], { cwd })).toMatchObject({ code: 2 });
  });

  it('may be left out for the model of the environment', async () => {
    const server = await askedServer({ models: ['my-own'] });
    const env = { RECONVERGE_MODEL: server.model, OPENAI_BASE_URL: server.url };
    const asked = await call(['doctor', '--models'], { cwd: project(), env });
    expect(asked).toMatchObject({ code: 0, stdout: expect.stringMatching(/^default: my-own at /) });
    expect(asked.stderr).toContain('its price is not known');
    const none = await call(['doctor', '--models'], { cwd: project(), env: { RECONVERGE_MODEL: '' } });
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('RECONVERGE_MODEL names no model') });
  });
});
