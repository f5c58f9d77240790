// Selects the server and the key of a model; keys never reach other servers.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openaiModel } from '../../src/llm/openai-client.ts';
import { boundary } from '../../src/runtime/ports/boundary.ts';
import { openModelServer } from '../../src/testing/model-server.ts';
import { profileOf } from '../profile-of.ts';
import { ask, failureOf, listening, replyOf, served } from './served.ts';

const always = [{ reply: { text: 'here' }, times: 'always' as const }];

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a model that is not configured', () => {
  it('is not called, and the message says what to set', async () => {
    const failure = failureOf(await ask(openaiModel(profileOf(), boundary({}))));
    expect(failure).toMatchObject({ code: 'MODEL_NOT_CONFIGURED', retry: 'never' });
    for (const word of ['the model main', 'OPENAI_API_KEY', 'OPENAI_BASE_URL', '`api_key`', '`base_url`']) {
      expect(failure.message).toContain(word);
    }
  });

  it('names the missing variable that its profile refers to', async () => {
    const profile = profileOf({ baseUrl: 'http://127.0.0.1:1/v1', apiKey: '${secret.HOUSE_KEY}' });
    const failure = failureOf(await ask(openaiModel(profile, boundary({ OPENAI_API_KEY: 'sk-env' }))));
    expect(failure.code).toBe('MODEL_NOT_CONFIGURED');
    expect(failure.message).toContain('HOUSE_KEY');
  });

  it.each(['localhost:11434', 'ftp://models.example/v1', 'http://ada:secret@models.example/v1', '/v1'])(
    'is one whose address is no address: %s',
    async (baseUrl) => {
      const failure = failureOf(await ask(openaiModel(profileOf({ baseUrl }), boundary({}))));
      expect(failure.code).toBe('MODEL_NOT_CONFIGURED');
      expect(failure.message).toContain('base_url');
      expect(failure.message).not.toContain('secret');
    },
  );

  it('refuses a key that no request can carry, without showing the key', async () => {
    const surroundings = boundary({ OPENAI_API_KEY: 'sk-house key' });
    const failure = failureOf(await ask(openaiModel(profileOf(), surroundings)));
    expect(failure.code).toBe('MODEL_NOT_CONFIGURED');
    expect(failure.message).not.toContain('house');
  });
});

describe('the key', () => {
  it('from a profile goes to the server of that profile', async () => {
    await served(
      { script: always, key: 'sk-house' },
      async (model) => {
        expect(replyOf(await ask(model)).text).toBe('here');
      },
      { apiKey: '${secret.HOUSE_KEY}' },
      { HOUSE_KEY: 'sk-house\n', OPENAI_API_KEY: 'sk-env' },
    );
  });

  it('from the environment goes to the server of the environment, even if a profile names it', async () => {
    const server = await openModelServer({ script: always, key: 'sk-env' });
    const surroundings = boundary({ OPENAI_BASE_URL: `${server.url}/`, OPENAI_API_KEY: 'sk-env' });
    replyOf(await ask(openaiModel(profileOf(), surroundings)));
    replyOf(await ask(openaiModel(profileOf({ baseUrl: '${env.OPENAI_BASE_URL}' }), surroundings)));
    await server.close();
  });

  it('from the environment goes to no other server', async () => {
    await served(
      { script: always },
      async (model, { requests }) => {
        replyOf(await ask(model));
        expect(requests[0]?.headers.authorization).toBe('Bearer none');
      },
      {},
      { OPENAI_API_KEY: 'sk-env' },
    );
  });

  it('never appears in messages about a refusal', async () => {
    const fail = { status: 500, message: 'could not bill sk-house-4711' };
    await served(
      { script: [{ reply: { fail } }], key: 'sk-house-4711' },
      async (model, { url }) => {
        const told = failureOf(await ask(model));
        expect(told.message).toContain('could not bill ***');
        const other = openaiModel(profileOf({ baseUrl: url, apiKey: 'sk-other-4711' }), boundary({}));
        const refused = failureOf(await ask(other));
        expect(refused).toMatchObject({ code: 'MODEL_ACCESS_REFUSED', retry: 'never' });
        expect(refused.message).not.toContain('4711');
      },
      { apiKey: 'sk-house-4711' },
    );
  });
});

describe('the environment of the process', () => {
  it('adds nothing to requests', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-process');
    vi.stubEnv('OPENAI_ADMIN_KEY', 'sk-admin');
    vi.stubEnv('OPENAI_ORG_ID', 'org-process');
    vi.stubEnv('OPENAI_PROJECT_ID', 'project-process');
    vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'x-gateway: of-the-process');
    await served({ script: always }, async (model, { requests }) => {
      replyOf(await ask(model));
      replyOf(await ask(model, {}, listening));
      expect(JSON.stringify(requests)).not.toMatch(/process|admin/);
    });
  });
});
