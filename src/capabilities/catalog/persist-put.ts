// persist.put: keeps a value under a key of a store.
import { defineCapability } from '../capability.ts';
import { recordPath, writeRecord } from '../persist.ts';
import { keyProperty, storeProperty } from './persist-words.ts';

export const persistPut = defineCapability({
  name: 'persist.put',
  description: 'Keep a value under a key in a store on disk; what was there is replaced.',
  input: {
    type: 'object',
    required: ['store', 'key', 'value'],
    additionalProperties: false,
    properties: {
      store: storeProperty,
      key: keyProperty,
      value: { description: 'Any value.' },
      if_revision: {
        type: 'integer',
        minimum: 0,
        description: 'Only if the record still is at this revision; 0: only if there is none.',
      },
    },
  },
  output: {
    type: 'object',
    required: ['key', 'revision'],
    properties: {
      key: { type: 'string' },
      revision: { type: 'integer', description: 'Counts from 1 for each key.' },
    },
  },
  effects: ['filesystem'],
  tags: ['store', 'data'],
  cost: { seconds: 0.005 },
  repeat: 'keyed',
  async run({ store, key, value, if_revision }, ctx) {
    return { key, revision: await writeRecord(ctx, recordPath(store, key), value, if_revision) };
  },
});
