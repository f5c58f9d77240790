// Models of the AI SDK pass the model suite: the mocks of the SDK, and a real provider against a real server.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, it } from 'vitest';
import { fromAiSdk } from '../../src/llm/from-ai-sdk.ts';
import { openModelServer } from '../../src/testing/model-server.ts';
import { modelSuite } from '../../src/testing/model-suite.ts';
import { mockV3, mockV4 } from './ai-sdk-mocks.ts';

modelSuite({ describe, it }, 'the AI SDK, version 4', async (script) => ({
  model: fromAiSdk(mockV4(script)),
  remove: async () => {},
}));

modelSuite({ describe, it }, 'the AI SDK, version 3', async (script) => ({
  model: fromAiSdk(mockV3(script)),
  remove: async () => {},
}));

modelSuite({ describe, it }, '@ai-sdk/openai-compatible', async (script) => {
  const server = await openModelServer({ script });
  const provider = createOpenAICompatible({ name: 'house', baseURL: server.url, includeUsage: true });
  return { model: fromAiSdk(provider('scripted')), remove: server.close };
});
