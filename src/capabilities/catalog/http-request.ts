// http.request: sends data to an address, at most once where the server knows idempotency keys.
import { defineCapability } from '../capability.ts';
import { answerSchema, askProperties, bodyProperties, send, told } from './http-words.ts';

export const httpRequest = defineCapability({
  name: 'http.request',
  description: 'Send data to a web address with POST, PUT or PATCH, under an Idempotency-Key.',
  input: {
    type: 'object',
    required: ['url'],
    additionalProperties: false,
    properties: {
      ...askProperties,
      ...bodyProperties,
      method: { enum: ['POST', 'PUT', 'PATCH'], description: 'Default POST.' },
    },
  },
  output: answerSchema,
  effects: ['network', 'write'],
  tags: ['http', 'web'],
  cost: { seconds: 0.5 },
  repeat: 'keyed',
  async run({ method = 'POST', headers, ...ask }, ctx) {
    return told(await send(method, { ...ask, headers: { 'idempotency-key': ctx.idempotencyKey, ...headers } }, ctx));
  },
});
