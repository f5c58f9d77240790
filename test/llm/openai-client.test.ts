// The OpenAI client with servers that are slow, unreachable, or misbehave.
import { describe, expect, it } from 'vitest';
import { billOfResult } from '../../src/llm/bill.ts';
import { openaiModel } from '../../src/llm/openai-client.ts';
import { boundary } from '../../src/runtime/ports/boundary.ts';
import { openModelServer } from '../../src/testing/model-server.ts';
import { profileOf } from '../profile-of.ts';
import { answering, rawEvents, rawJson } from './raw-server.ts';
import { ask, failureOf, listening, replyOf, served } from './served.ts';

/** A completion with one message. */
function completion(message: object, more: object = {}): object {
  return { id: 'c1', model: 'm', choices: [{ message, finish_reason: 'stop' }], ...more };
}

function chunk(delta: object, finish: string | null = null): object {
  return { choices: [{ delta, finish_reason: finish }] };
}

describe('a model request', () => {
  it('is sent once, whatever the result', async () => {
    await served(
      { script: [{ reply: { fail: { status: 500 } } }, { reply: { fail: { cut: 'Once' } } }] },
      async (model, { requests }) => {
        await ask(model);
        await ask(model, {}, listening);
        expect(requests).toHaveLength(2);
      },
    );
  });

  it('ends at its timeout, even within a response', async () => {
    const script = ['', 'Once upon a time'].map((stall) => ({ reply: { fail: { stall } } }));
    await served(
      { script },
      async (model) => {
        const silent = await ask(model);
        expect(failureOf(silent)).toMatchObject({ code: 'MODEL_TIMEOUT', retry: 'may' });
        expect(silent).toHaveProperty('error.usage', { input: expect.any(Number), output: 0, estimated: true });
        const begun = await ask(model, {}, listening);
        expect(failureOf(begun).code).toBe('MODEL_TIMEOUT');
      },
      { timeout: 60 },
    );
  });

  it('costs nothing when no connection comes about: it is refused, the host is unknown, or TLS fails', async () => {
    const server = await openModelServer();
    const plain = server.url;
    const gone = await openModelServer();
    await gone.close();
    for (const [baseUrl, why] of [
      [gone.url, 'ECONNREFUSED'],
      ['http://nobody.invalid/v1', /ENOTFOUND|EAI_AGAIN/],
      ['http://127.0.0.1:9/v1', 'EBADPORT'],
      [plain.replace('http:', 'https:'), /EPROTO|ERR_SSL/],
    ] as const) {
      const asked = await ask(openaiModel(profileOf({ baseUrl }), boundary({})));
      const failure = failureOf(asked);
      expect(failure).toMatchObject({ code: 'MODEL_UNAVAILABLE', retry: 'may' });
      expect(failure.message).toMatch(why);
      expect(billOfResult(asked, { input: 1, output: 1 })).toEqual({});
    }
    expect(server.requests).toEqual([]);
    await server.close();
  });

  it('costs a call when the server answers with an error, and nothing when it refuses a feature', async () => {
    const script = [{ reply: { fail: { status: 503 } } }];
    await served({ script, refuses: ['temperature'] }, async (model) => {
      const refused = await ask(model, { temperature: 0 });
      expect(failureOf(refused).code).toBe('MODEL_FORMAT_UNSUPPORTED');
      expect(billOfResult(refused)).toEqual({});
      const failed = await ask(model, { temperature: 0 });
      expect(failureOf(failed).code).toBe('MODEL_UNAVAILABLE');
      expect(billOfResult(failed)).toEqual({ llm_calls: 1 });
    });
  });

  it("names the model, the server, and the server's message", async () => {
    const fail = { status: 400, message: 'temperature must be\n1' };
    await served({ script: [{ reply: { fail } }] }, async (model, { url }) => {
      expect(failureOf(await ask(model)).message).toBe(
        `the model main (scripted at ${url}) refused the request (400): temperature must be 1`,
      );
    });
  });

  it('follows no redirects', async () => {
    const other = await openModelServer({ script: [{ reply: { text: 'elsewhere' } }] });
    const moved = { status: 308, headers: { location: `${other.url}/chat/completions` }, parts: [] };
    await answering(moved, async (model) => {
      expect(failureOf(await ask(model)).code).toBe('MODEL_REQUEST_REFUSED');
    });
    expect(other.requests).toEqual([]);
    await other.close();
  });

  it('limits the size of the response', async () => {
    const asked = await answering(rawJson(completion({ content: 'x'.repeat(20_000) })), async (model) => {
      expect(failureOf(await ask(model))).toMatchObject({ code: 'MODEL_REPLY_TOO_LARGE', retry: 'never' });
    });
    expect(asked).toBe(1);
    await answering(rawEvents(...Array.from({ length: 500 }, () => chunk({ content: 'again ' }))), async (model) => {
      expect(failureOf(await ask(model, {}, listening)).code).toBe('MODEL_REPLY_TOO_LARGE');
    });
  });
});

describe('a server that does not stream', () => {
  const call = { id: 'a', type: 'function', function: { name: 'look', arguments: { at: 'it' } } };

  it('is heard when it answers a request for a stream with a whole response', async () => {
    const pieces: string[] = [];
    const onDelta = (piece: string): void => void pieces.push(piece);
    await answering(rawJson(completion({ content: 'Zürich ☕' })), async (model) => {
      expect(replyOf(await ask(model, {}, { onDelta }))).toMatchObject({ text: 'Zürich ☕', finish: 'stop' });
    });
    expect(pieces.join('')).toBe('Zürich ☕');
    await answering(rawJson(completion({ content: null, tool_calls: [call] })), async (model) => {
      const { toolCalls } = replyOf(await ask(model, {}, listening));
      expect(toolCalls).toEqual([{ id: 'a', name: 'look', arguments: { at: 'it' } }]);
    });
    const response = {
      object: 'response',
      status: 'completed',
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'Yes.' }] }],
    };
    await answering(
      rawJson(response),
      async (model) => expect(replyOf(await ask(model, {}, listening)).text).toBe('Yes.'),
      { api: 'responses' },
    );
  });

  it('may still put its error into the response', async () => {
    await answering(rawJson({ error: { message: 'Provider returned error', code: 502 } }), async (model) => {
      expect(failureOf(await ask(model, {}, listening)).code).toBe('MODEL_UNAVAILABLE');
    });
  });
});

it('reads streamed arguments that are an object, and counts that are text', async () => {
  const tool_calls = [{ index: 0, id: 'a', function: { name: 'look', arguments: { at: 'it' } } }];
  const usage = { prompt_tokens: '100', completion_tokens: '50' };
  await answering(rawEvents(chunk({ tool_calls }, 'tool_calls'), { choices: [], usage }), async (model) => {
    const reply = replyOf(await ask(model, {}, listening));
    expect(reply.toolCalls).toEqual([{ id: 'a', name: 'look', arguments: { at: 'it' } }]);
    expect(reply.usage).toEqual({ input: 100, output: 50 });
  });
});

describe('the message of a refusal', () => {
  it('tells who sent no key how to send one', async () => {
    await answering({ status: 401, parts: ['{}'] }, async (model) => {
      const { code, message } = failureOf(await ask(model));
      expect(code).toBe('MODEL_ACCESS_REFUSED');
      expect(message).toMatch(/wants a key \(401\), and got none: .* give the model `api_key: \$\{secret\.NAME\}`/);
    });
  });

  it.each([
    ['in seconds', { 'retry-after': '7' }, 7_000],
    ['as a date', { 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT', date: 'Wed, 21 Oct 2026 07:28:00 GMT' }, 30_000],
    ['in milliseconds', { 'retry-after-ms': '12.5', 'retry-after': '9' }, 13],
    ['as a date that has passed', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 0],
    ['in words', { 'retry-after': 'soon' }, undefined],
  ])('may name the wait %s', async (_, headers, expected) => {
    await answering({ status: 429, headers, parts: ['{}'] }, async (model) => {
      expect(failureOf(await ask(model)).retryAfter).toBe(expected);
    });
  });

  it('is found in responses of any shape', async () => {
    const bodies = [{ detail: [{ msg: 'too loud' }] }, { error: 'too loud' }, { message: 'too loud' }];
    for (const body of bodies) {
      await answering({ status: 422, parts: [JSON.stringify(body)] }, async (model) => {
        expect(failureOf(await ask(model)).message).toContain('too loud');
      });
    }
  });

  it.each([
    [
      'Gemini, which sends a list',
      [{ error: { code: 400, message: 'too loud', status: 'INVALID_ARGUMENT' } }],
      ': too loud',
    ],
    ['LM Studio, which sends text', { error: 'too loud' }, ': too loud'],
    [
      'OpenRouter, which sends what the provider said beside its own words',
      { error: { message: 'Provider returned error', code: 400, metadata: { raw: 'too loud', provider_name: 'X' } } },
      ': Provider returned error: too loud',
    ],
  ])('is the plain text of %s', async (_, body, expected) => {
    await answering({ status: 400, parts: [JSON.stringify(body)] }, async (model) => {
      expect(failureOf(await ask(model)).message.endsWith(`(400)${expected}`)).toBe(true);
    });
  });

  it('is left out when it is a page of HTML', async () => {
    await answering(
      { status: 502, headers: { 'content-type': 'text/html' }, parts: ['<html>Bad gateway'] },
      async (model) => {
        expect(failureOf(await ask(model))).toMatchObject({ code: 'MODEL_UNAVAILABLE' });
        expect(failureOf(await ask(model)).message).toMatch(/\(502\)$/);
      },
    );
  });

  it('is shortened when it is long', async () => {
    await answering(
      { status: 500, parts: [JSON.stringify({ error: { message: 'no '.repeat(3_000) } })] },
      async (model) => {
        expect(failureOf(await ask(model)).message.length).toBeLessThan(600);
      },
    );
  });

  it('may arrive inside a stream that began well', async () => {
    const error = { message: 'upstream is busy', code: 429 };
    await answering(rawJson({ error }), async (model) => {
      expect(failureOf(await ask(model))).toMatchObject({ code: 'MODEL_RATE_LIMITED', retry: 'may' });
    });
    await answering(
      rawEvents(chunk({ content: 'Once' }), { error: { message: 'died', type: 'server_error' } }),
      async (model) => {
        const asked = await ask(model, {}, listening);
        expect(failureOf(asked).code).toBe('MODEL_UNAVAILABLE');
        expect(asked).toHaveProperty('error.usage.estimated', true);
      },
    );
  });
});

describe('an invalid response', () => {
  it.each([
    ['an empty one', { parts: [] }],
    ['broken JSON', { parts: ['{"choices": ['] }],
    ['a list', rawJson([])],
    ['no choice', rawJson({ choices: [] })],
    ['a choice without a message', rawJson({ choices: [{ text: 'old' }] })],
    ['null', rawJson(null)],
  ])('is a failure: %s', async (_, answer) => {
    await answering(answer, async (model) => {
      expect(failureOf(await ask(model)).code).toBe('MODEL_REPLY_INVALID');
    });
  });

  it.each([
    ['nothing', rawEvents()],
    ['broken JSON', { headers: { 'content-type': 'text/event-stream' }, parts: ['data: {"choices"\n\n'] }],
    ['broken JSON in one piece', { headers: { 'content-type': 'application/json' }, parts: ['{"choices"'] }],
  ])('is a failure in a stream: %s', async (_, answer) => {
    await answering(answer, async (model) => {
      expect(failureOf(await ask(model, {}, listening)).code).toBe('MODEL_REPLY_INVALID');
    });
  });

  it('is a failure when it ends without a finish reason', async () => {
    await answering(rawEvents(chunk({ content: 'Once upon' })), async (model) => {
      expect(failureOf(await ask(model, {}, listening)).code).toBe('MODEL_UNAVAILABLE');
    });
  });
});

describe('an unusual response', () => {
  it('may split its text into parts', async () => {
    const content = [{ type: 'text', text: 'one ' }, { type: 'reference' }, { type: 'text', text: 'two' }];
    await answering(rawJson(completion({ content })), async (model) => {
      expect(replyOf(await ask(model)).text).toBe('one two');
    });
  });

  it('may finish with `stop` and still call tools, and calls without an id get one', async () => {
    const call = { function: { name: 'look', arguments: { deep: true } } };
    await answering(rawJson(completion({ content: null, tool_calls: [call, call] })), async (model) => {
      const earlier = { id: 'call_1', name: 'look', arguments: {} };
      const messages = [
        { role: 'assistant' as const, content: '', toolCalls: [earlier] },
        { role: 'tool' as const, callId: 'call_1', content: 'nothing' },
      ];
      const { finish, toolCalls } = replyOf(await ask(model, { messages }));
      expect(finish).toBe('tool_calls');
      expect(toolCalls).toEqual(['call_2', 'call_3'].map((id) => ({ id, name: 'look', arguments: { deep: true } })));
    });
  });

  it('may give all calls of a stream the same index', async () => {
    const piece = (id: string, given: string) =>
      chunk({ tool_calls: [{ index: 0, id, function: { name: 'look', arguments: given } }] });
    await answering(rawEvents(piece('a', '{"at":1}'), piece('b', '{"at":2}'), chunk({}, 'stop')), async (model) => {
      const { toolCalls } = replyOf(await ask(model, {}, listening));
      expect(toolCalls?.map((call) => call.arguments)).toEqual([{ at: 1 }, { at: 2 }]);
    });
  });

  it('may split characters between packets', async () => {
    const { headers, parts } = rawEvents(chunk({ content: 'grüß 🌍' }), chunk({}, 'stop'));
    const bytes = Buffer.from(parts.join(''));
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    await answering({ ...(headers === undefined ? {} : { headers }), parts: single }, async (model) => {
      expect(replyOf(await ask(model, {}, listening)).text).toBe('grüß 🌍');
    });
  });

  it('may count reasoning tokens only in the total', async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 40, prompt_tokens_details: null };
    await answering(rawJson(completion({ content: 'short' }, { usage })), async (model) => {
      expect(replyOf(await ask(model)).usage).toEqual({ input: 10, output: 30 });
    });
  });

  it.each([{ prompt_tokens: 0, completion_tokens: 0 }, { prompt_tokens: -1 }, { prompt_tokens: 'many' }, null])(
    'may report no usable usage, which is then estimated: %j',
    async (usage) => {
      await answering(rawJson(completion({ content: 'short' }, { usage })), async (model) => {
        expect(replyOf(await ask(model)).usage.estimated).toBe(true);
      });
    },
  );

  it('without usage is counted with the given tokenizer', async () => {
    const script = [{ reply: { text: 'one two three', usage: 'untold' as const } }];
    await served({ script }, async (_, { url }) => {
      const count = (text: string) => text.split(' ').length;
      const model = openaiModel(profileOf({ baseUrl: url }), boundary({}), { count });
      expect(replyOf(await ask(model)).usage).toEqual({ input: 10, output: 3, estimated: true });
    });
  });
});
