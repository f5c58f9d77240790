// persist.list: what a store holds.
import { defineCapability } from '../capability.ts';
import { CapabilityError } from '../capability-error.ts';
import type { FileAccess } from '../files.ts';
import { storeProperty } from './persist-words.ts';

export const persistList = defineCapability({
  name: 'persist.list',
  description: 'List the keys and logs of a store on disk.',
  input: {
    type: 'object',
    required: ['store'],
    additionalProperties: false,
    properties: {
      store: storeProperty,
      prefix: { type: 'string', description: 'Only those that begin so.' },
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

/** A store that nothing was written to yet is empty. */
async function namesIn(files: FileAccess, store: string): Promise<readonly string[]> {
  try {
    return (await files.list(store)).files.map(({ name }) => name);
  } catch (thrown) {
    if (thrown instanceof CapabilityError && thrown.code === 'FILE_NOT_FOUND') return [];
    throw thrown;
  }
}
