// persist.delete: removes a key from a store.
import { defineCapability } from '../capability.ts';
import { recordPath } from '../persist.ts';
import { keyProperty, storeProperty } from './persist-words.ts';

export const persistDelete = defineCapability({
  name: 'persist.delete',
  description: 'Delete what is under a key of a store on disk; what is already gone counts as deleted.',
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
    required: ['key', 'deleted'],
    properties: {
      key: { type: 'string' },
      deleted: { type: 'boolean', description: 'False when there was nothing.' },
    },
  },
  effects: ['delete'],
  tags: ['store', 'data'],
  cost: { seconds: 0.005 },
  repeat: 'safe',
  async run({ store, key }, ctx) {
    return { key, deleted: await ctx.files.remove(recordPath(store, key)) };
  },
});
