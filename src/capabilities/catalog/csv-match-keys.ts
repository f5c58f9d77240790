// csv.match_keys: compares the keys of two tables.

import { didYouMean } from '../../base/nearest.ts';
import type { CallContext } from '../capability.ts';
import { defineCapability } from '../capability.ts';
import { CapabilityError } from '../capability-error.ts';
import { CSV_BYTES, csvFile, eachRow, openCsv } from '../formats/csv.ts';

const SAMPLE_KEYS = 5;
const keys = { type: 'array', 'x-sample': 3, items: { type: 'string' } } as const;

export const csvMatchKeys = defineCapability({
  name: 'csv.match_keys',
  description: 'Compare the keys of two CSV files that share a column: how many are in both, and in only one.',
  input: {
    type: 'object',
    required: ['left', 'right', 'key'],
    additionalProperties: false,
    properties: {
      left: csvFile,
      right: csvFile,
      key: { type: 'string', description: 'Name of the key column in both files.' },
      right_key: { type: 'string', description: 'Name of the key column in the right file, when it differs.' },
    },
  },
  output: {
    type: 'object',
    required: ['left', 'right', 'key', 'matched', 'only_left', 'only_right', 'duplicates', 'missing', 'sample'],
    properties: {
      left: { type: 'string' },
      right: { type: 'string' },
      key: { type: 'string' },
      matched: { type: 'integer', description: 'Number of distinct keys in both files.' },
      only_left: { type: 'integer' },
      only_right: { type: 'integer' },
      duplicates: {
        type: 'object',
        description: 'Number of distinct keys that occur more than once.',
        required: ['left', 'right'],
        properties: { left: { type: 'integer' }, right: { type: 'integer' } },
      },
      missing: {
        type: 'object',
        description: 'Number of rows without a key.',
        required: ['left', 'right'],
        properties: { left: { type: 'integer' }, right: { type: 'integer' } },
      },
      sample: {
        type: 'object',
        description: 'Examples of keys that only one file has.',
        required: ['only_left', 'only_right'],
        properties: { only_left: keys, only_right: keys },
      },
    },
  },
  effects: ['read'],
  tags: ['files', 'data'],
  cost: { seconds: 0.1 },
  repeat: 'safe',
  async run({ left, right, key, right_key = key }, ctx) {
    const [inLeft, inRight] = [await keysOf(left, key, ctx), await keysOf(right, right_key, ctx)];
    const onlyLeft = [...inLeft.counts.keys()].filter((each) => !inRight.counts.has(each));
    const onlyRight = [...inRight.counts.keys()].filter((each) => !inLeft.counts.has(each));
    return {
      left,
      right,
      key,
      matched: inLeft.counts.size - onlyLeft.length,
      only_left: onlyLeft.length,
      only_right: onlyRight.length,
      duplicates: { left: duplicates(inLeft), right: duplicates(inRight) },
      missing: { left: inLeft.missing, right: inRight.missing },
      sample: { only_left: sample(onlyLeft), only_right: sample(onlyRight) },
    };
  },
});

interface Keys {
  readonly counts: ReadonlyMap<string, number>;
  readonly missing: number;
}

async function keysOf(path: string, column: string, ctx: CallContext): Promise<Keys> {
  const csv = await openCsv(path, ctx);
  const index = csv.columns.indexOf(column);
  if (index < 0) throw unknownColumn(path, column, csv.columns);
  const counts = new Map<string, number>();
  let missing = 0;
  const { complete } = await eachRow(csv, ctx, (fields) => {
    const key = fields[index]?.trim() ?? '';
    if (key === '') missing += 1;
    else counts.set(key, (counts.get(key) ?? 0) + 1);
  });
  if (!complete) {
    const message = `"${path}" is larger than the ${CSV_BYTES} bytes in which keys are compared`;
    throw new CapabilityError('FILE_TOO_LARGE', message, { retry: 'never' });
  }
  return { counts, missing };
}

function unknownColumn(path: string, column: string, columns: readonly string[]): CapabilityError {
  const hint = didYouMean(column, columns) ?? `its columns are ${columns.slice(0, 20).join(', ')}`;
  return new CapabilityError('COLUMN_UNKNOWN', `"${path}" has no column "${column}"; ${hint}`, { retry: 'never' });
}

function duplicates({ counts }: Keys): number {
  return [...counts.values()].filter((count) => count > 1).length;
}

function sample(found: readonly string[]): readonly string[] {
  return found.toSorted().slice(0, SAMPLE_KEYS);
}
