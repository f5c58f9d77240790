// The test server: its endpoints beside completions, and the records that tests read.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { type ModelServer, type ModelServerOptions, openModelServer } from '../../src/testing/model-server.ts';

async function open(options: ModelServerOptions, body: (server: ModelServer) => Promise<void>): Promise<void> {
  const server = await openModelServer(options);
  try {
    await body(server);
  } finally {
    await server.close();
  }
}

async function post(url: string, body: string): Promise<{ readonly status: number; readonly body: JsonObject }> {
  const response = await fetch(url, { method: 'POST', body });
  return { status: response.status, body: (await response.json()) as JsonObject };
}

describe('the test server', () => {
  it('lists its models', async () => {
    await open({ models: ['small', 'large'] }, async ({ url }) => {
      const listed = (await (await fetch(`${url}/models`)).json()) as { data: readonly { id: string }[] };
      expect(listed.data.map(({ id }) => id)).toEqual(['small', 'large']);
    });
  });

  it('records every request, even one that it refuses', async () => {
    await open({ key: 'sk-test' }, async ({ url, requests }) => {
      const { status } = await post(`${url}/chat/completions?trace=1`, '{"model":"small"}');
      expect(status).toBe(401);
      expect(requests).toMatchObject([{ method: 'POST', path: '/v1/chat/completions', body: { model: 'small' } }]);
    });
  });

  it('refuses unknown paths and invalid bodies', async () => {
    await open({}, async ({ url }) => {
      expect((await post(`${url}/images`, '{}')).status).toBe(404);
      expect((await post(`${url}/chat/completions`, 'no JSON')).status).toBe(400);
      expect((await post(`${url}/chat/completions`, '{"model":"small"}')).status).toBe(400);
      expect((await post(`${url}/embeddings`, '{"input":[1]}')).status).toBe(400);
    });
  });

  it('embeds a single text like a list of one text', async () => {
    await open({}, async ({ url }) => {
      const one = await post(`${url}/embeddings`, '{"model":"near","input":"a text"}');
      const list = await post(`${url}/embeddings`, '{"model":"near","input":["a text"]}');
      expect(one.body).toEqual(list.body);
    });
  });

  it('reports the rules of its script that were never used', async () => {
    const script = [{ reply: { text: 'yes' } }, { when: { last: 'never said' }, reply: { text: 'no' } }];
    await open({ script }, async ({ url, unused }) => {
      await post(`${url}/chat/completions`, '{"model":"small","messages":[{"role":"user","content":"Is it?"}]}');
      expect(unused()).toEqual(script.slice(1));
    });
  });

  it('answers equal requests with equal bytes', async () => {
    const texts: string[] = [];
    for (let time = 0; time < 2; time += 1) {
      await open({ script: [{ reply: { toolCalls: [{ name: 'look', arguments: {} }] } }] }, async ({ url }) => {
        const body = '{"model":"small","stream":true,"messages":[{"role":"user","content":"Look."}]}';
        texts.push(await (await fetch(`${url}/chat/completions`, { method: 'POST', body })).text());
      });
    }
    expect(texts[0]).toContain('data: [DONE]');
    expect(texts[0]).toBe(texts[1]);
  });
});
