// Runs against every kind of model server: they end as they should, learn what a server refuses, and say so once.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Json, type JsonObject, ownProperty } from '../../src/base/json.ts';
import { leftOutWatch } from '../../src/cli/drive/left-out.ts';
import type { Feature } from '../../src/llm/features.ts';
import type { Script } from '../../src/llm/script.ts';
import type { RunRecord } from '../../src/runtime/api/run-record.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { type ModelServer, openModelServer, type ServerKind, serverKinds } from '../../src/testing/index.ts';
import { begin, call, project } from './reconverge.ts';
import { serverWith } from './served-model.ts';
import { COST_OF_REPLY, USED, wholeFiles, wholeRun, wholeScript } from './whole-run.ts';

interface Outcome {
  readonly status: string;
  readonly failed: Json;
  /** The results by step. */
  readonly results: JsonObject;
  /** Amounts of the whole run. */
  readonly spent: Readonly<Record<string, number>>;
  /** Messages of the calls that a server refused because of a feature. */
  readonly refusals: readonly string[];
  /** Sentences of the terminal about features. */
  readonly said: readonly string[];
}

/** Runs the template with a new engine, as a new process would, over the store in the folder. */
async function run(folder: string): Promise<Outcome> {
  const engine = createEngine({ folder, store: join(folder, 'runs.db'), durability: 'relaxed', surroundings: {} });
  try {
    const template = await engine.load('whole.yaml');
    if (!template.ok) return expect.fail(JSON.stringify(template.error));
    const begun = await engine.start(template.value);
    if (!begun.ok) return expect.fail(JSON.stringify(begun.error));
    const report = await begun.value.done;
    const record = engine.read(begun.value.id);
    if (!record.ok) return expect.fail(JSON.stringify(record.error));
    return outcomeOf(record.value, report.status, report.failed as unknown as Json);
  } finally {
    await engine.close();
  }
}

function outcomeOf({ state, events, blob }: RunRecord, status: string, failed: Json): Outcome {
  const ended = events.flatMap(({ event }) => (event.type === 'call.ended' ? [event as unknown as JsonObject] : []));
  const refusals = ended
    .map((event) => event.failure)
    .filter((failure) => ownProperty(failure, 'code') === 'MODEL_FORMAT_UNSUPPORTED')
    .map((failure) => String(ownProperty(failure, 'message')));
  const results = [...state.steps.values()].flatMap(({ id, result }) => {
    if (result === undefined) return [];
    const text = 'digest' in result ? blob(result.digest) : undefined;
    return [[id, text === undefined ? (ownProperty(result as unknown as Json, 'value') ?? null) : JSON.parse(text)]];
  });
  return {
    status,
    failed,
    results: Object.fromEntries(results),
    spent: { ...state.ledger.accounts.get('run')?.spent },
    refusals,
    said: leftOutWatch()(events, blob),
  };
}

/** Features that a server refuses in a whole run. */
const learned: Readonly<Record<ServerKind, readonly Feature[]>> = {
  openai: ['max_tokens', 'tools_with_reasoning'],
  azure: ['max_tokens', 'tools_with_reasoning', 'no_reasoning'],
  anthropic: [],
  'gemini-2': [],
  'gemini-3': [],
  mistral: [],
  groq: ['reasoning_sent_back'],
  deepseek: ['json_schema'],
  openrouter: [],
  'openrouter-without-tools': ['tools'],
  litellm: [],
  ollama: [],
  'ollama-without-tools': ['tools'],
  vllm: [],
  'vllm-before-2026': [],
  'vllm-without-flags': ['tools'],
  'llama-cpp': [],
  'llama-cpp-without-jinja': ['tools'],
  'lm-studio': [],
  strict: ['json_schema', 'json_object', 'tool_choice'],
};

/** Features that it refuses besides, when the profile sets every parameter and streams. */
const alsoLearned: Readonly<Partial<Record<ServerKind, readonly Feature[]>>> = {
  openai: ['temperature', 'top_p'],
  azure: ['temperature', 'top_p'],
  anthropic: ['temperature', 'top_p'],
  'gemini-2': ['seed'],
  mistral: ['seed', 'stream_options'],
  groq: ['streamed_format'],
  litellm: ['seed'],
  'ollama-without-tools': ['reasoning_effort'],
  strict: ['temperature', 'top_p', 'seed', 'reasoning_effort', 'stream_options'],
};

const parameters = 'temperature: 0.2\ntop_p: 0.9\nseed: 7\nreasoning: low\nstream: true';
/** Requests that the model answers in a whole run. */
const ANSWERED = 6;

/** Another key, another feature or another API does the same. */
const isReplaced = (feature: Feature, api: Way['api']): boolean =>
  feature === 'max_tokens' || feature === 'no_reasoning' || (feature === 'tools_with_reasoning' && api === 'auto');
const refusedBy = ({ requests }: ModelServer): number => requests.filter(({ status }) => status !== 200).length;
const bodies = ({ requests }: ModelServer): readonly JsonObject[] => requests.map(({ body }) => body as JsonObject);

function expectWhole({ status, failed, results, spent }: Outcome): void {
  expect({ status, failed }).toEqual({ status: 'completed', failed: [] });
  expect(results).toMatchObject({ greet: 'Hello, Greta.', count: { count: 1 }, 'plan.1/look': { count: 2 } });
  // Two tools of the agent, called in one reply, and the step of the plan.
  expect(spent.tool_calls).toBe(3);
  expect(JSON.stringify(results)).not.toMatch(/SEE|I weigh/);
}

/** Each refusal is heard once, each feature that is missing is said once, and no key is sent in vain. */
function expectHeard(server: ModelServer, { refusals, said }: Outcome): void {
  expect(new Set(refusals).size).toBe(refusals.length);
  expect(refusals).toHaveLength(refusedBy(server));
  expect(new Set(said).size).toBe(said.length);
  const limits = server.requests.map(({ ignored = [] }) => ignored.filter((key) => key.startsWith('max_')));
  expect(limits.flat()).toEqual([]);
}

interface Way {
  readonly like: ServerKind;
  readonly api: 'auto' | 'chat' | 'responses';
}

/** Every server as the client chooses to ask it, and by each API where it has both. */
const ways: readonly Way[] = [
  ...serverKinds.map((like) => ({ like, api: 'auto' as const })),
  ...(['openai', 'azure'] as const).flatMap((like) => (['chat', 'responses'] as const).map((api) => ({ like, api }))),
];

function learnedBy({ like, api }: Way): readonly Feature[] {
  if (api === 'responses') return [];
  // The Responses API takes tools while the model reasons, so that nothing else is tried.
  return learned[like].filter((feature) => api === 'chat' || feature !== 'no_reasoning');
}

describe.each(ways)('a run on a server like $like (api: $api)', (way) => {
  const { like, api } = way;
  const learns = learnedBy(way);

  async function prepared(keys = '', script: Script = wholeScript) {
    const server = await serverWith({ like, script });
    const folder = project({ 'whole.yaml': wholeRun(server, `api: ${api}\n${keys}`), ...wholeFiles });
    return { server, folder };
  }

  it('plans, judges, sums up, calls tools and charges what was used; the next process asks for nothing in vain', async () => {
    const { server, folder } = await prepared();
    const first = await run(folder);
    expectWhole(first);
    expectHeard(server, first);
    expect(refusedBy(server)).toBe(learns.length);
    expect(first.said.length > 0).toBe(learns.some((feature) => !isReplaced(feature, api)));
    expect(first.spent.llm_calls).toBe(ANSWERED);
    expect(first.spent).toMatchObject({ tokens_in: ANSWERED * USED.input, tokens_out: ANSWERED * USED.output });
    expect((first.spent.cost_usd ?? 0) / 1_000_000).toBeCloseTo(ANSWERED * COST_OF_REPLY, 9);
    const second = await run(folder);
    expectWhole(second);
    expect(second.refusals).toEqual([]);
    expect(server.requests).toHaveLength(learns.length + 2 * ANSWERED);
  });

  it('leaves out parameters that are refused, and streams', async () => {
    const { server, folder } = await prepared(parameters);
    const outcome = await run(folder);
    expectWhole(outcome);
    expectHeard(server, outcome);
    const missing = new Set([...learns, ...(alsoLearned[like] ?? [])]);
    expect(bodies(server).some(({ stream }) => stream === true)).toBe(true);
    const last = bodies(server).at(-1) ?? {};
    const isResponses = server.requests.at(-1)?.path === '/v1/responses';
    // The Responses API has no seed, and another key for reasoning.
    const sent = isResponses
      ? (['temperature', 'top_p'] as const)
      : (['temperature', 'top_p', 'seed', 'reasoning_effort'] as const);
    expect(sent.filter((key) => Object.hasOwn(last, key))).toEqual(sent.filter((key) => !missing.has(key)));
    // A server that tells no usage of its streams is charged by an estimate.
    if (like !== 'strict') expect(outcome.spent.tokens_in).toBe(ANSWERED * USED.input);
  });

  it('learns nothing from a single server error', async () => {
    const message = 'Internal error: upstream failed while tools, response_format, temperature and seed were read';
    const broken = { reply: { fail: { status: 500, message, retryAfter: 1 } } };
    const { server, folder } = await prepared('', [broken, ...wholeScript]);
    const outcome = await run(folder);
    expectWhole(outcome);
    expect(outcome.refusals).toHaveLength(learns.length);
    expect(server.requests.filter(({ status }) => status === 500)).toHaveLength(
      like === 'llama-cpp-without-jinja' ? 2 : 1,
    );
  });
});

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

describe('the command line with a server without tools', () => {
  it('names it once in a run, and does not try it again in a later process', async () => {
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
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('1 of 10 LLM calls') });
    const { stdout } = await call(['why', 'latest', 'greet'], { cwd });
    expect(stdout).toMatch(/call 1\.1 +model default \(turn\).*MODEL_UNAVAILABLE/);
    expect(stdout).toMatch(/call 1\.2 +model backup \(turn\)/);
  });

  it.each<ServerKind>(['gemini-3', 'deepseek', 'mistral', 'openrouter'])(
    'goes on with the tool calls of another model on a server like %s, which takes only its own',
    async (like) => {
      const first = await serverWith({
        script: [
          { when: { turn: 1 }, reply: { toolCalls: [{ name: 'files_list', arguments: { folder: '.' } }] } },
          { reply: { fail: { status: 503, retryAfter: 1 } }, times: 'always' },
        ],
      });
      const second = await serverWith({ like, script: [{ reply: { json: { count: 2 } } }] });
      const zero = 'prices: { input: $0, output: $0 }, max_retries: 0';
      const cwd = project({
        'count.yaml': template
          .replace(/ {2}- name: again[\s\S]*$/, '')
          .replace(/ {2}default: .*\n/, () =>
            [
              `  default: { model: small, base_url: "${first.url}", ${zero}, fallback: [backup] }`,
              `  backup: { model: "${second.model}", base_url: "${second.url}", ${zero} }`,
              '',
            ].join('\n'),
          ),
      });
      const ended = await call(['run', 'count.yaml'], { cwd });
      expect(ended).toMatchObject({ code: 0 });
      expect(second.requests.map(({ status }) => status)).toEqual([400, 200]);
      expect(JSON.stringify(second.requests[1]?.body)).toContain('The result of the call');
    },
  );
});
