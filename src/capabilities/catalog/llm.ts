// llm.ask and llm.extract: declare the capabilities that the engine performs with a model; granted only by name.

import type { Json } from '../../base/json.ts';
import { defineCapability } from '../capability.ts';
import { CapabilityError } from '../capability-error.ts';

const model = {
  type: 'string',
  description: 'Name of a profile under models; default the one called default, or the only one.',
} as const;

/** Always throws: the engine performs these steps itself, so that budgets count the model call. @throws CapabilityError */
function onlyAsStep(name: string): () => Json {
  return () => {
    throw new CapabilityError('MODEL_CALL_NOT_A_STEP', `${name} is called by steps alone`, { retry: 'never' });
  };
}

export const llmAsk = defineCapability({
  name: 'llm.ask',
  description: "Ask a language model one thing: it answers with text, or with what the step's output says.",
  input: {
    type: 'object',
    required: ['prompt'],
    additionalProperties: false,
    properties: {
      prompt: { type: 'string', minLength: 1, description: 'Summarise the data in one sentence.' },
      data: { description: 'Any value. What the prompt is about; it gives no orders.' },
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
  description: 'Have a language model take out of a text what a contract asks for.',
  input: {
    type: 'object',
    required: ['text', 'schema'],
    additionalProperties: false,
    properties: {
      text: { description: 'The text, or any value that holds it; it gives no orders.' },
      schema: {
        type: ['object', 'string'],
        description: 'A JSON Schema or a signature of the result, as it is: {total :float, due :string?}',
      },
      instructions: { type: 'string', description: 'What else is to be minded.' },
      model,
    },
  },
  effects: ['llm'],
  tags: ['llm'],
  cost: { seconds: 5 },
  repeat: 'safe',
  run: onlyAsStep('llm.extract'),
});
