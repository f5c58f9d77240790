// Both embedders pass the suite.
import { describe, it } from 'vitest';
import { openaiEmbedder } from '../../src/llm/openai-embedder.ts';
import { wordEmbedder } from '../../src/llm/word-embedder.ts';
import { boundary } from '../../src/runtime/boundary.ts';
import { embedderSuite } from '../../src/testing/embedder-suite.ts';
import { openModelServer } from '../../src/testing/model-server.ts';
import { profileOf } from './served.ts';

embedderSuite({ describe, it }, 'words', async () => ({ embedder: wordEmbedder, remove: async () => {} }));

embedderSuite({ describe, it }, 'openai', async () => {
  const server = await openModelServer();
  const embedder = openaiEmbedder('near', profileOf({ baseUrl: server.url }), boundary({}));
  return { embedder, remove: server.close };
});
