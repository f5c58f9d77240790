// http.get: what an address answers, as text or data.
import { defineCapability } from '../capability.ts';
import { answerSchema, askProperties, send, told } from './http-words.ts';

export const httpGet = defineCapability({
  name: 'http.get',
  description: 'Fetch a web address and return its JSON or text.',
  input: {
    type: 'object',
    required: ['url'],
    additionalProperties: false,
    properties: { ...askProperties, method: { enum: ['GET', 'HEAD'], description: 'Default GET.' } },
  },
  output: answerSchema,
  effects: ['read', 'network'],
  tags: ['http', 'web'],
  cost: { seconds: 0.5 },
  repeat: 'safe',
  async run({ method = 'GET', ...ask }, ctx) {
    return told(await send(method, ask, ctx));
  },
});
