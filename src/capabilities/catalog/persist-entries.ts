// persist.entries: the last entries of a log of a store.
import { defineCapability } from '../capability.ts';
import { logPath, readLog } from '../persist.ts';
import { logProperty, storeProperty } from './persist-words.ts';

const DEFAULT_ENTRIES = 1_000;

export const persistEntries = defineCapability({
  name: 'persist.entries',
  description: 'Read the last entries of a log in a store on disk.',
  input: {
    type: 'object',
    required: ['store', 'log'],
    additionalProperties: false,
    properties: {
      store: storeProperty,
      log: logProperty,
      last: { type: 'integer', minimum: 1, maximum: 100_000, description: `How many; default ${DEFAULT_ENTRIES}.` },
    },
  },
  output: {
    type: 'object',
    required: ['log', 'entries', 'count'],
    properties: {
      log: { type: 'string' },
      entries: { type: 'array', description: 'The oldest first.' },
      count: { type: 'integer', description: 'Entries of the whole log.' },
    },
  },
  effects: ['read'],
  tags: ['store', 'data'],
  cost: { seconds: 0.005 },
  repeat: 'safe',
  async run({ store, log, last = DEFAULT_ENTRIES }, ctx) {
    const entries = await readLog(ctx, logPath(store, log));
    return { log, entries: entries.slice(-last).map(({ value }) => value), count: entries.length };
  },
});
