// The scripted model passes the model suite.
import { describe, it } from 'vitest';
import { scriptedModel } from '../../src/llm/scripted-model.ts';
import { modelSuite } from '../../src/testing/model-suite.ts';

modelSuite({ describe, it }, 'scripted', async (script) => ({ model: scriptedModel(script), remove: async () => {} }));
