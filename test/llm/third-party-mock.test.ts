// The client and whole runs against a mock of model servers that others wrote: @copilotkit/aimock.
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { afterEach, describe, expect, it } from 'vitest';
import type { Model } from '../../src/llm/model.ts';
import { openaiModel } from '../../src/llm/openai-client.ts';
import { playScript, type Script, type ScriptReply } from '../../src/llm/script.ts';
import type { ModelProfile } from '../../src/model/profile.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { boundary } from '../../src/runtime/ports/boundary.ts';
import { conversationCases, pieceCases, replyCases, severalAskCases } from '../../src/testing/model-reply-cases.ts';
import type { ModelTest } from '../../src/testing/model-samples.ts';
import { project } from '../cli/reconverge.ts';
import { wholeFiles, wholeRun, wholeScript } from '../cli/whole-run.ts';
import { profileOf } from '../profile-of.ts';
import { ask, failureOf, listening, replyOf } from './served.ts';

let mocks: LLMock[] = [];
afterEach(async () => {
  await Promise.all(mocks.map((mock) => mock.stop()));
  mocks = [];
});

type Answer = Parameters<LLMock['on']>[1];

async function mockWith(prepare: (mock: LLMock) => void): Promise<LLMock> {
  const mock = new LLMock({ port: 0, host: '127.0.0.1' });
  mocks.push(mock);
  prepare(mock);
  await mock.start();
  return mock;
}

/** The mock answers from a script, in its own form. */
function playing(script: Script): (mock: LLMock) => void {
  const player = playScript(script);
  return (mock) => {
    mock.on({ endpoint: 'chat' }, (({ model, messages, tools = [] }) => {
      const reply = player.next({
        model,
        messages: messages.map(({ role, content }) => ({ role, content: typeof content === 'string' ? content : '' })),
        tools: tools.map((tool) => tool.function.name),
        called: 0,
      });
      return inItsForm(reply ?? { fail: { status: 400, message: 'the script has no answer left' } });
    }) satisfies Answer);
  };
}

function inItsForm(
  reply: ScriptReply,
): Exclude<Awaited<ReturnType<Extract<Answer, (...given: never) => unknown>>>, undefined> {
  if ('fail' in reply) {
    const {
      status,
      message = 'scripted',
      code,
    } = 'status' in reply.fail ? reply.fail : { status: 500, message: 'no such failure here', code: undefined };
    return { error: { message, type: 'scripted', ...(code === undefined ? {} : { code }) }, status };
  }
  const { usage, finish, reasoning } = reply;
  const more = {
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(finish === undefined ? {} : { finishReason: finish === 'filter' ? 'content_filter' : finish }),
    ...(usage === undefined || usage === 'untold'
      ? {}
      : {
          usage: {
            prompt_tokens: usage.input,
            completion_tokens: usage.output,
            prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
          },
        }),
  };
  if ('toolCalls' in reply) {
    const toolCalls = reply.toolCalls.map(({ name, arguments: given, ...call }) => ({
      ...call,
      name,
      arguments: typeof given === 'string' ? given : JSON.stringify(given),
    }));
    return reply.text === undefined ? { toolCalls, ...more } : { content: reply.text, toolCalls, ...more };
  }
  const content = 'json' in reply ? JSON.stringify(reply.json) : 'text' in reply ? reply.text : reply.refusal;
  return { content, ...more };
}

function modelAt(mock: LLMock, api: ModelProfile['api'] = 'chat'): Model {
  return openaiModel(profileOf({ api, baseUrl: `${mock.url}/v1`, timeout: 5_000 }), boundary({}));
}

/** This mock always reports usage, but no cached tokens in streams; it has no refusals, and reads broken arguments as none. */
const notThere = /usage|refus|broken arguments|has the whole text/;

const testWith =
  (api: ModelProfile['api']): ModelTest =>
  (sentence, script, body) => {
    if (notThere.test(sentence)) return;
    it(sentence, async () => body(modelAt(await mockWith(playing(script)), api)));
  };

describe.each(['chat', 'responses'] as const)('the OpenAI client with `api: %s` on a mock of others', (api) => {
  const test = testWith(api);
  describe('replies', () => {
    replyCases(test);
    conversationCases(test);
  });
  describe('pieces', () => pieceCases(test));
  describe('several requests', () => severalAskCases(test));

  it('notices a stream that is cut', async () => {
    const long = 'one two three four five six seven eight nine ten';
    const cut = await mockWith((each) =>
      each.onMessage('Say', { content: long }, { chunkSize: 4, truncateAfterChunks: 5 }),
    );
    expect(failureOf(await ask(modelAt(cut, api), {}, listening))).toMatchObject({ code: 'MODEL_UNAVAILABLE' });
  });
});

describe('the OpenAI client on a mock of others: failures', () => {
  it('waits as long as a rate limit says, and names the other errors', async () => {
    const mock = await mockWith((each) => each.onMessage('Say', { content: 'at last' }));
    const model = modelAt(mock);
    mock.nextRequestError(429, {
      message: 'Rate limit reached',
      type: 'rate_limit_error',
      code: 'rate_limit_exceeded',
    });
    expect(failureOf(await ask(model))).toMatchObject({ code: 'MODEL_RATE_LIMITED', retryAfter: 1_000 });
    mock.nextRequestError(503, { message: 'Overloaded' });
    expect(failureOf(await ask(model))).toMatchObject({ code: 'MODEL_UNAVAILABLE', retry: 'may' });
    mock.nextRequestError(401, { message: 'Incorrect API key provided' });
    expect(failureOf(await ask(model))).toMatchObject({ code: 'MODEL_ACCESS_REFUSED', retry: 'never' });
    mock.nextRequestError(400, { message: "Unsupported parameter: 'max_tokens' is not supported with this model." });
    expect(failureOf(await ask(model))).toMatchObject({ code: 'MODEL_FORMAT_UNSUPPORTED', retryAfter: 0 });
    expect(replyOf(await ask(model)).text).toBe('at last');
    expect(mock.getLastRequest()?.body).toHaveProperty('max_completion_tokens');
  });

  it('notices a stream that is cut, broken JSON and a connection that is dropped', async () => {
    const long = 'one two three four five six seven eight nine ten';
    const cut = await mockWith((each) =>
      each.onMessage('Say', { content: long }, { chunkSize: 4, truncateAfterChunks: 3 }),
    );
    const asked = await ask(modelAt(cut), {}, listening);
    expect(failureOf(asked)).toMatchObject({ code: 'MODEL_UNAVAILABLE', retry: 'may' });
    expect(asked.ok ? undefined : asked.error.usage).toMatchObject({ estimated: true });
    for (const [chaos, code] of [
      [{ malformedRate: 1 }, 'MODEL_REPLY_INVALID'],
      [{ disconnectRate: 1 }, 'MODEL_UNAVAILABLE'],
      [{ dropRate: 1 }, 'MODEL_UNAVAILABLE'],
      [{ rateLimitRate: 1 }, 'MODEL_RATE_LIMITED'],
    ] as const) {
      const mock = await mockWith((each) => each.onMessage('Say', { content: long }, { chaos }));
      expect(failureOf(await ask(modelAt(mock))), JSON.stringify(chaos)).toMatchObject({ code, retry: 'may' });
    }
  });
});

describe('a whole run on a mock of others', () => {
  it.each([
    ['OpenAI', '/v1', ''],
    ['OpenAI by the Responses API', '/v1', 'api: responses'],
    ['OpenAI by the Responses API, streamed', '/v1', 'api: responses\nstream: true'],
    ['OpenAI, streamed', '/v1', 'stream: true'],
    ['OpenRouter', '/api/v1', ''],
    ['OpenRouter, streamed', '/api/v1', 'stream: true'],
  ])('plans, judges, sums up and calls tools: %s', async (_, path, keys) => {
    const mock = await mockWith(playing(wholeScript));
    const url = `${mock.url}${path}`;
    const folder = project({ 'whole.yaml': wholeRun({ url, model: 'gpt-5-mini' }, keys), ...wholeFiles });
    const engine = createEngine({ folder, store: join(folder, 'runs.db'), durability: 'relaxed', surroundings: {} });
    try {
      const template = await engine.load('whole.yaml');
      if (!template.ok) return expect.fail(JSON.stringify(template.error));
      const begun = await engine.start(template.value);
      if (!begun.ok) return expect.fail(JSON.stringify(begun.error));
      const report = await begun.value.done;
      expect(report).toMatchObject({ status: 'completed', failed: [] });
      const endpoint = keys.includes('responses') ? 'responses' : 'chat/completions';
      expect(mock.getRequests().every(({ path: asked }) => asked === `${path}/${endpoint}`)).toBe(true);
      const record = engine.read(begun.value.id);
      if (!record.ok) return expect.fail(JSON.stringify(record.error));
      const { spent = {} } = record.value.state.ledger.accounts.get('run') ?? {};
      expect(JSON.stringify(report)).not.toContain('SEE');
      expect(spent).toMatchObject({ llm_calls: 6, tokens_in: 6_000, tokens_out: 600, tool_calls: 3 });
    } finally {
      await engine.close();
    }
  });
});
