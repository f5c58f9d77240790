// data.aggregate: groups rows and computes one figure per group and measure.
import { defineCapability } from '../capability.ts';
import { aggregate, groupBySchema, groupsSchema, measuresSchema } from '../formats/aggregate.ts';

export const dataAggregate = defineCapability({
  name: 'data.aggregate',
  description: 'Group a list of maps by fields and compute count, sum, avg, min or max per group.',
  input: {
    type: 'object',
    required: ['rows', 'measures'],
    additionalProperties: false,
    properties: {
      rows: { type: 'array', items: { type: 'object' } },
      group_by: groupBySchema,
      measures: measuresSchema,
    },
  },
  output: {
    type: 'object',
    required: ['groups', 'rows'],
    properties: { groups: groupsSchema, rows: { type: 'integer' } },
  },
  effects: ['pure'],
  tags: ['data'],
  cost: { seconds: 0.005 },
  repeat: 'safe',
  run({ rows, group_by = [], measures }) {
    return { groups: aggregate(rows, group_by, measures), rows: rows.length };
  },
});
