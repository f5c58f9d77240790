// llm.ask: asks a model one thing; granted only to templates that name it.
import { defineCapability } from '../capability.ts';
import { model, onlyAsStep } from './llm-words.ts';

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
