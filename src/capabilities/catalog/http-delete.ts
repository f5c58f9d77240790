// http.delete: removes what an address stands for.
import { defineCapability } from '../capability.ts';
import { answerSchema, askProperties, send, told } from './http-words.ts';

export const httpDelete = defineCapability({
  name: 'http.delete',
  description: 'Delete what is at a web address; what is already gone counts as deleted.',
  input: {
    type: 'object',
    required: ['url'],
    additionalProperties: false,
    properties: askProperties,
  },
  output: answerSchema,
  effects: ['network', 'delete'],
  tags: ['http', 'web'],
  cost: { seconds: 0.5 },
  repeat: 'safe',
  async run({ accept_status = [], headers, ...ask }, ctx) {
    const keyed = { 'idempotency-key': ctx.idempotencyKey, ...headers };
    return told(await send('DELETE', { ...ask, headers: keyed, accept_status: [404, 410, ...accept_status] }, ctx));
  },
});
