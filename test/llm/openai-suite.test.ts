// The OpenAI client passes the model suite against a real server.
import { describe, it } from 'vitest';
import { openaiModel } from '../../src/llm/openai-client.ts';
import { boundary } from '../../src/runtime/ports/boundary.ts';
import { openModelServer } from '../../src/testing/model-server.ts';
import { modelSuite } from '../../src/testing/model-suite.ts';
import { profileOf } from '../profile-of.ts';

modelSuite({ describe, it }, 'openai', async (script) => {
  const server = await openModelServer({ script });
  return { model: openaiModel(profileOf({ baseUrl: server.url }), boundary({})), remove: server.close };
});
