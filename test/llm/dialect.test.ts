// A feature that a server refuses is tried once, and then replaced.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { dialects, REFUSAL_LASTS, type RefusalStore, type Refusals } from '../../src/llm/dialect.ts';
import { openaiModel } from '../../src/llm/openai-client.ts';
import { boundary } from '../../src/runtime/ports/boundary.ts';
import type { ServedRequest } from '../../src/testing/model-server.ts';
import { profileOf } from '../profile-of.ts';
import { ask, failureOf, listening, replyOf, served } from './served.ts';

const always = [{ reply: { text: '{"good":true}' }, times: 'always' as const }];
const schema = { type: 'object', properties: { good: { type: 'boolean' } } };
const answer = { name: 'verdict', schema };

function formatsOf(requests: readonly ServedRequest[]): readonly unknown[] {
  return requests.map(({ body }) => {
    const { response_format: format } = body as { response_format?: { type: string } };
    return format?.type ?? 'text';
  });
}

describe('an answer format that a server refuses', () => {
  it('fails one request, and further requests use JSON mode', async () => {
    await served({ script: always, refuses: ['json_schema'] }, async (model, { requests }) => {
      const failure = failureOf(await ask(model, { answer }));
      expect(failure).toMatchObject({ code: 'MODEL_FORMAT_UNSUPPORTED', retry: 'may', retryAfter: 0 });
      expect(replyOf(await ask(model, { answer })).text).toBe('{"good":true}');
      replyOf(await ask(model, { answer }));
      expect(formatsOf(requests)).toEqual(['json_schema', 'json_object', 'json_object']);
    });
  });

  it('is replaced by instructions in the first system message', async () => {
    await served({ script: always, refuses: ['json_schema'] }, async (model, { requests }) => {
      const messages = [
        { role: 'system' as const, content: 'Be brief.' },
        { role: 'user' as const, content: 'Judge.' },
      ];
      await ask(model, { answer });
      await ask(model, { answer, messages });
      await ask(model, { answer });
      const told = requests.map(({ body }) => (body as { messages: readonly JsonObject[] }).messages);
      expect(told[1]).toHaveLength(2);
      expect(told[1]?.[0]?.content).toMatch(/^Be brief\.\n\nAnswer with one JSON value/);
      expect(told[1]?.[0]?.content).toContain(JSON.stringify(schema));
      expect(told[2]?.map(({ role }) => role)).toEqual(['system', 'user']);
    });
  });

  it('is replaced by plain text when JSON mode is refused too', async () => {
    await served({ script: always, refuses: ['json_schema', 'json_object'] }, async (model, { requests }) => {
      expect(failureOf(await ask(model, { answer })).code).toBe('MODEL_FORMAT_UNSUPPORTED');
      expect(failureOf(await ask(model, { answer })).code).toBe('MODEL_FORMAT_UNSUPPORTED');
      replyOf(await ask(model, { answer }));
      expect(formatsOf(requests)).toEqual(['json_schema', 'json_object', 'text']);
    });
  });

  it('is replaced without JSON mode for an answer that is no object', async () => {
    await served({ script: always, refuses: ['json_schema'] }, async (model, { requests }) => {
      const list = { name: 'list', schema: { type: 'array' } };
      await ask(model, { answer: list });
      replyOf(await ask(model, { answer: list }));
      expect(formatsOf(requests)).toEqual(['json_schema', 'text']);
    });
  });

  it('is remembered for the model on its server', async () => {
    const known = dialects();
    await served({ script: always, refuses: ['json_schema'] }, async (_, { url, requests }) => {
      const modelOf = (model: string) => openaiModel(profileOf({ baseUrl: url, model }), boundary({}), { known });
      await ask(modelOf('small'), { answer });
      replyOf(await ask(modelOf('small'), { answer }));
      await ask(modelOf('large'), { answer });
      expect(formatsOf(requests)).toEqual(['json_schema', 'json_object', 'json_schema']);
    });
  });

  it('is remembered for a week, and in a store that outlives the process', async () => {
    let now = 1_000;
    const kept = new Map<string, Refusals>();
    const store: RefusalStore = {
      recall: (baseUrl, model) => kept.get(`${baseUrl} ${model}`) ?? {},
      keep: (baseUrl, model, refusals) => kept.set(`${baseUrl} ${model}`, refusals),
    };
    await served({ script: always, refuses: ['json_schema'] }, async (_, { url, requests }) => {
      const fresh = () =>
        openaiModel(profileOf({ baseUrl: url }), boundary({}), { known: dialects({ store, now: () => now }) });
      await ask(fresh(), { answer });
      replyOf(await ask(fresh(), { answer }));
      now += REFUSAL_LASTS;
      expect(failureOf(await ask(fresh(), { answer })).code).toBe('MODEL_FORMAT_UNSUPPORTED');
      dialects({ store }).forget(url, 'scripted');
      await ask(fresh(), { answer });
      expect(formatsOf(requests)).toEqual(['json_schema', 'json_object', 'json_schema', 'json_schema']);
    });
  });

  it('may be refused for one schema only, and others are still sent', async () => {
    const fail = { status: 400, message: "Invalid schema for response_format 'verdict': 'oneOf' is not permitted" };
    await served({ script: [{ reply: { fail } }, ...always] }, async (model, { requests }) => {
      expect(failureOf(await ask(model, { answer })).code).toBe('MODEL_FORMAT_UNSUPPORTED');
      replyOf(await ask(model, { answer }));
      replyOf(await ask(model, { answer: { name: 'other', schema: { type: 'object' } } }));
      expect(formatsOf(requests)).toEqual(['json_schema', 'json_object', 'json_schema']);
    });
  });

  it('fails each of several concurrent requests with a failure that may be retried', async () => {
    await served({ script: always, refuses: ['json_schema'] }, async (model) => {
      const asked = await Promise.all([ask(model, { answer }), ask(model, { answer })]);
      expect(asked.map((each) => failureOf(each).code)).toEqual([
        'MODEL_FORMAT_UNSUPPORTED',
        'MODEL_FORMAT_UNSUPPORTED',
      ]);
      replyOf(await ask(model, { answer }));
    });
  });
});

describe('other features that a server refuses', () => {
  it('are left out, and missing usage is counted', async () => {
    await served({ script: always, refuses: ['stream_options'] }, async (model, { requests }) => {
      expect(failureOf(await ask(model, {}, listening)).code).toBe('MODEL_FORMAT_UNSUPPORTED');
      expect(replyOf(await ask(model, {}, listening)).usage.estimated).toBe(true);
      expect(requests[1]?.body).not.toHaveProperty('stream_options');
    });
  });

  it('are renamed, like the token limit for newer models', async () => {
    await served({ script: always, refuses: ['max_tokens'] }, async (model, { requests }) => {
      expect(failureOf(await ask(model)).code).toBe('MODEL_FORMAT_UNSUPPORTED');
      replyOf(await ask(model));
      expect(requests[1]?.body).toMatchObject({ max_completion_tokens: 1_000 });
      expect(requests[1]?.body).not.toHaveProperty('max_tokens');
    });
  });

  it('fail the request when there is no alternative', async () => {
    await served({ script: always, refuses: ['max_tokens', 'max_completion_tokens'] }, async (model) => {
      await ask(model);
      await ask(model);
      expect(failureOf(await ask(model))).toMatchObject({ code: 'MODEL_REQUEST_REFUSED', retry: 'never' });
    });
  });

  it('are not inferred from a limit that is only too high', async () => {
    const fail = { status: 400, message: 'max_tokens is too large: 1000. At most 512 are allowed for this model.' };
    await served({ script: [{ reply: { fail } }, ...always] }, async (model, { requests }) => {
      expect(failureOf(await ask(model)).code).toBe('MODEL_REQUEST_REFUSED');
      replyOf(await ask(model));
      expect(requests[1]?.body).toHaveProperty('max_tokens');
    });
  });

  it('are not inferred from a prompt that is too long', async () => {
    const message = 'This exceeds the maximum context length: 900 tokens in messages, 400 in response_format.';
    const script = [{ reply: { fail: { status: 400, message } } }, ...always];
    await served({ script }, async (model, { requests }) => {
      expect(failureOf(await ask(model, { answer })).code).toBe('MODEL_CONTEXT_EXCEEDED');
      replyOf(await ask(model, { answer }));
      expect(formatsOf(requests)).toEqual(['json_schema', 'json_schema']);
    });
  });
});
