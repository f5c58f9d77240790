// persist.put, get, list, append, entries and delete: keep values and logs in a store on disk.
import { defineCapability } from '../capability.ts';
import { CapabilityError } from '../capability-error.ts';
import type { FileAccess } from '../file-access.ts';
import { appendEntry, logPath, readLog, readRecord, recordPath, writeRecord } from '../record-store.ts';

const storeProperty = {
  type: 'string',
  minLength: 1,
  description: 'Folder of the store, under one of the granted roots.',
} as const;

/** The name becomes a file name. */
const name = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_.@=+-]*$', maxLength: 200 } as const;

const keyProperty = { ...name, description: 'Key of letters, digits and _ . @ = + -' } as const;
const logProperty = { ...name, description: 'Name of the log: letters, digits and _ . @ = + -' } as const;

export const persistPut = defineCapability({
  name: 'persist.put',
  description: 'Store a value under a key on disk, and replace the value that was there.',
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
        description: 'Write only if the record has this revision; 0: only if there is no record.',
      },
    },
  },
  output: {
    type: 'object',
    required: ['key', 'revision'],
    properties: {
      key: { type: 'string' },
      revision: { type: 'integer', description: 'New revision of the key, from 1.' },
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
      value: { description: 'The stored value; null without a record.' },
      revision: { type: 'integer', description: 'Revision of the record; 0 without a record.' },
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

export const persistList = defineCapability({
  name: 'persist.list',
  description: 'List the keys and logs of a store on disk.',
  input: {
    type: 'object',
    required: ['store'],
    additionalProperties: false,
    properties: {
      store: storeProperty,
      prefix: { type: 'string', description: 'Lists only names that begin with this text.' },
    },
  },
  output: {
    type: 'object',
    required: ['keys', 'logs'],
    properties: {
      keys: { type: 'array', items: { type: 'string' } },
      logs: { type: 'array', items: { type: 'string' } },
    },
  },
  effects: ['read'],
  tags: ['store', 'data'],
  cost: { seconds: 0.005 },
  repeat: 'safe',
  async run({ store, prefix = '' }, ctx) {
    const names = (await namesIn(ctx.files, store)).filter((name) => name.startsWith(prefix)).toSorted();
    const endingIn = (ending: string): string[] =>
      names.flatMap((name) => (name.endsWith(ending) ? [name.slice(0, -ending.length)] : []));
    return { keys: endingIn('.json'), logs: endingIn('.jsonl') };
  },
});

/** A store without a folder is empty. */
async function namesIn(files: FileAccess, store: string): Promise<readonly string[]> {
  try {
    return (await files.list(store)).files.map(({ name }) => name);
  } catch (thrown) {
    if (thrown instanceof CapabilityError && thrown.code === 'FILE_NOT_FOUND') return [];
    throw thrown;
  }
}

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
      count: { type: 'integer', description: 'Number of entries after the append.' },
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
      last: {
        type: 'integer',
        minimum: 1,
        maximum: 100_000,
        description: `Number of entries; default ${DEFAULT_ENTRIES}.`,
      },
    },
  },
  output: {
    type: 'object',
    required: ['log', 'entries', 'count'],
    properties: {
      log: { type: 'string' },
      entries: { type: 'array', description: 'Entries, oldest first.' },
      count: { type: 'integer', description: 'Number of entries in the log.' },
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

export const persistDelete = defineCapability({
  name: 'persist.delete',
  description: 'Delete the value under a key of a store on disk; a missing key counts as deleted.',
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
      deleted: { type: 'boolean', description: 'False when the key did not exist.' },
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
