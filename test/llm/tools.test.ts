// Tools on servers that accept them only under some conditions, or not at all.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { Message, ModelRequest } from '../../src/model/request.ts';
import type { ServedRequest } from '../../src/testing/model-server.ts';
import { answering, rawJson } from './raw-server.ts';
import { ask, failureOf, replyOf, served } from './served.ts';

const tool = {
  name: 'look',
  description: 'Look at a page.',
  input: { type: 'object', properties: { page: { type: 'integer' } } },
};
const answer = { name: 'verdict', schema: { type: 'object', properties: { good: { type: 'boolean' } } } };
const offered: Partial<ModelRequest> = { tools: [tool], answer };
const system: Message = { role: 'system', content: 'Be brief.' };
const user: Message = { role: 'user', content: 'Judge.' };
const called: readonly Message[] = [
  system,
  user,
  { role: 'assistant', content: '', toolCalls: [{ id: 'call_1', name: 'look', arguments: { page: 3 } }] },
  { role: 'tool', callId: 'call_1', content: 'a page </data> of text' },
];

interface Body extends JsonObject {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

function bodyOf(request: ServedRequest | undefined): Body {
  return (request?.body ?? {}) as Body;
}

describe('tools on a server that accepts them', () => {
  const script = [{ reply: { text: '{"good":true}' }, times: 'always' as const }];

  it('are sent without an answer format, and the system message describes the answer', async () => {
    await served({ script }, async (model, { requests }) => {
      replyOf(await ask(model, { ...offered, messages: [system, user] }));
      const body = requests[0]?.body as Body;
      expect(body).toHaveProperty('tools');
      expect(body).not.toHaveProperty('response_format');
      expect(body.messages[0]?.content).toMatch(/^Be brief\.\n\nUnless you call a tool, answer with one JSON value/);
    });
  });

  it('are sent with the choice `none` if the conversation has calls, and left out otherwise', async () => {
    await served({ script }, async (model, { requests }) => {
      replyOf(await ask(model, { ...offered, toolChoice: 'none', messages: called }));
      replyOf(await ask(model, { ...offered, toolChoice: 'none' }));
      replyOf(await ask(model, { tools: [], answer }));
      expect(requests[0]?.body).toMatchObject({ tool_choice: 'none', tools: [{ type: 'function' }] });
      for (const { body } of requests.slice(1)) {
        expect(body).not.toHaveProperty('tools');
        expect(body).not.toHaveProperty('tool_choice');
        expect(body).toHaveProperty('response_format.type', 'json_schema');
      }
    });
  });

  it('are forbidden in the system message if the server refuses `tool_choice`', async () => {
    await served({ script, refuses: ['tool_choice'] }, async (model, { requests }) => {
      const last: Partial<ModelRequest> = { ...offered, toolChoice: 'none', messages: called };
      expect(failureOf(await ask(model, last)).code).toBe('MODEL_FORMAT_UNSUPPORTED');
      expect(replyOf(await ask(model, last)).leftOut).toEqual(['tool_choice']);
      const body = requests[1]?.body as Body;
      expect(body).toHaveProperty('tools');
      expect(body.messages[0]?.content).toMatch(/Answer now, with what you know\.$/);
    });
  });

  it('are sent with reasoning switched off if the server refuses the two together, and the profile says `api: chat`', async () => {
    await served(
      { script, refuses: ['tools_with_reasoning'] },
      async (model, { requests }) => {
        expect(failureOf(await ask(model, offered)).code).toBe('MODEL_FORMAT_UNSUPPORTED');
        expect(replyOf(await ask(model, offered)).leftOut).toEqual(['tools_with_reasoning']);
        expect(requests[1]?.body).toMatchObject({ reasoning_effort: 'none', tools: [{ type: 'function' }] });
      },
      { api: 'chat' },
    );
  });

  it('become text in earlier messages if the server refuses calls without tools', async () => {
    await served({ script, refuses: ['calls_without_tools'] }, async (model, { requests }) => {
      expect(failureOf(await ask(model, { messages: called })).code).toBe('MODEL_FORMAT_UNSUPPORTED');
      replyOf(await ask(model, { messages: called }));
      const { messages } = bodyOf(requests[1]);
      expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
      expect(messages[0]?.content).toBe('Be brief.');
    });
  });
});

describe('tools in the text of messages', () => {
  const call = { text: 'I look.\n{"call": {"name": "look", "arguments": {"page": 3}}}' };
  const done = { text: '```json\n{"answer": {"good": true}}\n```' };
  const script = [{ reply: call }, { reply: done }];

  it('replace tools that the server refuses, in requests and in replies', async () => {
    await served({ script, refuses: ['tools'] }, async (model, { requests }) => {
      expect(failureOf(await ask(model, offered))).toMatchObject({ code: 'MODEL_FORMAT_UNSUPPORTED', retryAfter: 0 });
      const first = replyOf(await ask(model, { ...offered, messages: [system, user] }));
      expect(first).toMatchObject({ text: '', finish: 'tool_calls', leftOut: ['tools'] });
      expect(first.toolCalls).toEqual([{ id: 'call_1', name: 'look', arguments: { page: 3 } }]);
      const second = replyOf(await ask(model, { ...offered, messages: called }));
      expect(second).toMatchObject({ text: '{"good":true}', finish: 'stop' });
      const { messages, ...body } = bodyOf(requests[2]);
      expect(body).not.toHaveProperty('tools');
      expect(body).toHaveProperty('response_format.json_schema.name', 'call_or_answer');
      const form = 'response_format.json_schema.schema.anyOf.0.properties.call.properties';
      expect(body).toHaveProperty(`${form}.name.enum`, ['look']);
      expect(body).toHaveProperty(`${form}.arguments.properties`, { page: { type: 'integer' } });
      expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
      expect(messages[0]?.content).toContain('- look: Look at a page.');
      expect(messages[0]?.content).toContain(JSON.stringify(answer.schema));
      expect(messages[2]?.content).toBe('{"call":{"id":"call_1","name":"look","arguments":{"page":3}}}');
      expect(messages[3]?.content).toContain('\\u003c/data> of text');
    });
  });

  it('are used from the first request if the profile says `tools: false`, and the reply reports no feature as left out', async () => {
    await served(
      { script, refuses: ['tools'] },
      async (model, { requests }) => {
        const reply = replyOf(await ask(model, offered));
        expect(reply.toolCalls).toHaveLength(1);
        expect(reply).not.toHaveProperty('leftOut');
        expect(requests).toHaveLength(1);
      },
      { tools: false },
    );
  });

  it('allow no call with the choice `none`', async () => {
    const stray = { text: '{"call": {"name": "look", "arguments": {}}}' };
    await served(
      { script: [{ reply: stray }] },
      async (model, { requests }) => {
        const reply = replyOf(await ask(model, { ...offered, toolChoice: 'none', messages: called }));
        expect(reply).not.toHaveProperty('toolCalls');
        const body = requests[0]?.body as Body;
        expect(body.messages[0]?.content).toContain('You may call no more tools.');
        expect(JSON.stringify(body.response_format)).not.toContain('"call"');
      },
      { tools: false },
    );
  });

  it('are read from a reply with reasoning and several calls, and plain answers stay answers', async () => {
    const texts = [
      '<think>{"answer": "no"} or {"call": 1}?</think>{"call": [{"name": "look", "arguments": "{\\"page\\": 1}"}, {"name": "look"}]}',
      'It is good.',
      '{"answer": "It is {good}."}',
    ];
    await served(
      { script: texts.map((text) => ({ reply: { text } })) },
      async (model) => {
        const first = replyOf(await ask(model, { tools: [tool] }));
        expect(first.toolCalls?.map(({ id, arguments: given }) => [id, given])).toEqual([
          ['call_1', { page: 1 }],
          ['call_2', {}],
        ]);
        expect(replyOf(await ask(model, { tools: [tool] })).text).toBe('It is good.');
        expect(replyOf(await ask(model, { tools: [tool] })).text).toBe('It is {good}.');
      },
      { tools: false },
    );
  });

  it('are read from a list of calls, and from a call with syntax errors', async () => {
    const texts = [
      '[{"call": {"name": "look", "arguments": {"page": 1}}}, {"call": {"name": "look", "arguments": {"page": 2}}}]',
      "I call {'call': {'name': 'look', 'arguments': {'page': 1},}} and then another.",
    ];
    await served({ script: texts.map((text) => ({ reply: { text } })), refuses: ['tools'] }, async (model) => {
      await ask(model, offered);
      const pages = [];
      for (const _ of texts) {
        const { toolCalls = [] } = replyOf(await ask(model, offered));
        pages.push(toolCalls.map(({ arguments: given }) => given));
      }
      expect(pages).toEqual([[{ page: 1 }, { page: 2 }], [{ page: 1 }]]);
    });
  });
});

describe('a tool call that the server cannot read', () => {
  it('is an invalid reply that may be retried', async () => {
    const error = { message: 'Failed to call a function.', code: 'tool_use_failed', failed_generation: '<look>' };
    await answering({ ...rawJson({ error }), status: 400 }, async (model) => {
      expect(failureOf(await ask(model, offered))).toMatchObject({ code: 'MODEL_REPLY_INVALID', retry: 'may' });
    });
  });
});
