// The Responses API passes the model suite against a real server.
import { describe, it } from 'vitest';
import { openaiModel } from '../../src/llm/openai-client.ts';
import { boundary } from '../../src/runtime/ports/boundary.ts';
import { openModelServer } from '../../src/testing/model-server.ts';
import { modelSuite } from '../../src/testing/model-suite.ts';
import { profileOf } from '../profile-of.ts';

modelSuite({ describe, it }, 'openai by the Responses API', async (script) => {
  const server = await openModelServer({ script });
  const profile = profileOf({ baseUrl: server.url, api: 'responses' });
  return { model: openaiModel(profile, boundary({})), remove: server.close };
});
