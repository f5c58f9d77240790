// persist.append: adds an entry to a log of a store.
import { defineCapability } from '../capability.ts';
import { appendEntry, logPath } from '../persist.ts';
import { logProperty, storeProperty } from './persist-words.ts';

export const persistAppend = defineCapability({
  name: 'persist.append',
  description: 'Add an entry to the end of a log in a store on disk.',
  input: {
    type: 'object',
    required: ['store', 'log', 'value'],
    additionalProperties: false,
    properties: {
      store: storeProperty,
      log: logProperty,
      value: { description: 'Any value.' },
    },
  },
  output: {
    type: 'object',
    required: ['log', 'count'],
    properties: {
      log: { type: 'string' },
      count: { type: 'integer', description: 'Entries then.' },
    },
  },
  effects: ['filesystem'],
  tags: ['store', 'data'],
  cost: { seconds: 0.005 },
  repeat: 'keyed',
  async run({ store, log, value }, ctx) {
    return { log, count: await appendEntry(ctx, logPath(store, log), value) };
  },
});
