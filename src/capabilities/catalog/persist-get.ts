// persist.get: the value under a key of a store.
import { defineCapability } from '../capability.ts';
import { readRecord, recordPath } from '../persist.ts';
import { keyProperty, storeProperty } from './persist-words.ts';

export const persistGet = defineCapability({
  name: 'persist.get',
  description: 'Read the value under a key of a store on disk.',
  input: {
    type: 'object',
    required: ['store', 'key'],
    additionalProperties: false,
    properties: {
      store: storeProperty,
      key: keyProperty,
    },
  },
  output: {
    type: 'object',
    required: ['key', 'found', 'value', 'revision'],
    properties: {
      key: { type: 'string' },
      found: { type: 'boolean' },
      value: { description: 'null where there is none.' },
      revision: { type: 'integer', description: '0 where there is none.' },
    },
  },
  effects: ['read'],
  tags: ['store', 'data'],
  cost: { seconds: 0.005 },
  repeat: 'safe',
  async run({ store, key }, ctx) {
    const found = await readRecord(ctx, recordPath(store, key));
    return { key, found: found !== undefined, value: found?.value ?? null, revision: found?.revision ?? 0 };
  },
});
