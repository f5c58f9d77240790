// csv.read: rows of a table as records, a slice of it at a time.
import { defineCapability } from '../capability.ts';
import { csvFile } from '../formats/csv.ts';
import { readSlice, slicedSchema, sliceSchema } from '../formats/csv-records.ts';

export const csvRead = defineCapability({
  name: 'csv.read',
  description: 'Read rows of a CSV file as records: numbers and booleans as such, all else as text.',
  input: {
    type: 'object',
    required: ['path'],
    additionalProperties: false,
    properties: {
      path: csvFile,
      ...sliceSchema,
    },
  },
  output: {
    type: 'object',
    required: ['path', 'columns', 'rows', 'skipped', 'complete'],
    properties: {
      path: { type: 'string' },
      columns: { type: 'array', 'x-keep': true, items: { type: 'string' } },
      rows: {
        type: 'array',
        description: 'By column; null where nothing stands.',
        items: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } },
      },
      ...slicedSchema,
    },
  },
  effects: ['read'],
  tags: ['files', 'data'],
  cost: { seconds: 0.05 },
  repeat: 'safe',
  async run({ path, skip, take }, ctx) {
    return { path, ...(await readSlice(path, ctx, skip, take)) };
  },
});
