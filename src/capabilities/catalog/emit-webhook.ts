// emit.webhook: says that something has happened, to an address.
import { defineCapability } from '../capability.ts';
import { askProperties, send } from './http-words.ts';

export const emitWebhook = defineCapability({
  name: 'emit.webhook',
  description: 'Announce an event with its data to a web address, under an Idempotency-Key.',
  input: {
    type: 'object',
    required: ['url', 'type'],
    additionalProperties: false,
    properties: {
      url: askProperties.url,
      headers: askProperties.headers,
      timeout_ms: askProperties.timeout_ms,
      type: { type: 'string', minLength: 1, description: 'What has happened: order.shipped' },
      data: { description: 'Any value.' },
    },
  },
  output: {
    type: 'object',
    required: ['id', 'type', 'status'],
    properties: {
      id: { type: 'string', description: 'The same when it is announced again after a crash.' },
      type: { type: 'string' },
      status: { type: 'integer' },
    },
  },
  effects: ['network', 'write'],
  tags: ['event', 'http', 'web'],
  cost: { seconds: 0.5 },
  repeat: 'keyed',
  async run({ type, data = null, headers, ...ask }, ctx) {
    const id = ctx.idempotencyKey;
    const json = { id, type, run: ctx.run.id, at: new Date().toISOString(), data };
    const { status } = await send('POST', { ...ask, json, headers: { 'idempotency-key': id, ...headers } }, ctx);
    return { id, type, status };
  },
});
