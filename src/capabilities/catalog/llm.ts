// llm.ask and llm.extract: declare the capabilities that the engine performs with a model; granted only by name.

import type { Json } from '../../base/json.ts';
import { defineCapability } from '../capability.ts';
import { CapabilityError } from '../capability-error.ts';

const model = {
  type: 'string',
  description: 'Name of a profile under models; default the profile named default, or the only one.',
} as const;

/** Always throws: the engine performs these steps itself, so that budgets count the model call. @throws CapabilityError */
function onlyAsStep(name: string): () => Json {
  return () => {
    throw new CapabilityError('MODEL_CALL_NOT_A_STEP', `${name} can only be called by a step`, { retry: 'never' });
  };
}

export const llmAsk = defineCapability({
  name: 'llm.ask',
  description: "Ask a language model, and return its text, or the value that the step's output contract describes.",
  input: {
    type: 'object',
    required: ['prompt'],
    additionalProperties: false,
    properties: {
      prompt: { type: 'string', minLength: 1, description: 'Summarise the data in one sentence.' },
      data: { description: 'Any value that the prompt is about; the model takes no orders from it.' },
      model,
    },
  },
  effects: ['llm'],
  tags: ['llm'],
  cost: { seconds: 5 },
  repeat: 'safe',
  run: onlyAsStep('llm.ask'),
});

export const llmExtract = defineCapability({
  name: 'llm.extract',
  description: 'Have a language model extract the values of a contract from a text.',
  input: {
    type: 'object',
    required: ['text', 'schema'],
    additionalProperties: false,
    properties: {
      text: { description: 'The text, or a value that holds it; the model takes no orders from it.' },
      schema: {
        type: ['object', 'string'],
        description: 'JSON Schema or signature of the result: {total :float, due :string?}',
      },
      instructions: { type: 'string', description: 'Further instructions.' },
      model,
    },
  },
  effects: ['llm'],
  tags: ['llm'],
  cost: { seconds: 5 },
  repeat: 'safe',
  run: onlyAsStep('llm.extract'),
});
