// csv.aggregate: figures per group over a slice of a table, so that a large one can be worked on in parts.
import { defineCapability } from '../capability.ts';
import { aggregate, groupBySchema, groupsSchema, measuresSchema } from '../formats/aggregate.ts';
import { csvFile } from '../formats/csv.ts';
import { readSlice, slicedSchema, sliceSchema } from '../formats/csv-records.ts';

export const csvAggregate = defineCapability({
  name: 'csv.aggregate',
  description: 'Group rows of a CSV file by columns and compute count, sum, avg, min or max per group.',
  input: {
    type: 'object',
    required: ['path', 'measures'],
    additionalProperties: false,
    properties: {
      path: csvFile,
      ...sliceSchema,
      group_by: groupBySchema,
      measures: measuresSchema,
    },
  },
  output: {
    type: 'object',
    required: ['path', 'groups', 'rows', 'skipped', 'complete'],
    properties: {
      path: { type: 'string' },
      groups: groupsSchema,
      rows: { type: 'integer', description: 'Rows that were read.' },
      ...slicedSchema,
    },
  },
  effects: ['read'],
  tags: ['files', 'data'],
  cost: { seconds: 0.05 },
  repeat: 'safe',
  async run({ path, skip, take, group_by = [], measures }, ctx) {
    const { rows, skipped, complete } = await readSlice(path, ctx, skip, take);
    return { path, groups: aggregate(rows, group_by, measures), rows: rows.length, skipped, complete };
  },
});
