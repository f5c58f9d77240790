// csv.profile: statistics of every column of a table, read row after row in bounded memory.
import { defineCapability } from '../capability.ts';
import { columnProfiler } from '../formats/column-profile.ts';
import { CSV_BYTES, eachRow, openCsv, readSchema, wholeSchema } from '../formats/csv.ts';
import { valueTypes } from '../formats/value-type.ts';

export const csvProfile = defineCapability({
  name: 'csv.profile',
  description: 'Statistics per column of a CSV file: missing, distinct, smallest, largest, mean, most frequent values.',
  input: wholeSchema,
  output: {
    type: 'object',
    required: ['path', 'rows', 'complete', 'columns'],
    properties: {
      path: { type: 'string' },
      ...readSchema,
      columns: {
        type: 'array',
        'x-keep': true,
        items: {
          type: 'object',
          required: ['name', 'type', 'count', 'missing', 'distinct', 'exact', 'min', 'max', 'mean', 'top'],
          properties: {
            name: { type: 'string' },
            type: { enum: valueTypes },
            count: { type: 'integer', description: 'Values that are not missing.' },
            missing: { type: 'integer' },
            distinct: { type: 'integer' },
            exact: { type: 'boolean', description: 'False when distinct is a lower bound.' },
            min: { type: ['number', 'string', 'null'] },
            max: { type: ['number', 'string', 'null'] },
            mean: { type: ['number', 'null'] },
            top: {
              type: 'array',
              'x-sample': 3,
              items: {
                type: 'object',
                required: ['value', 'count'],
                properties: { value: { type: 'string' }, count: { type: 'integer' } },
              },
            },
          },
        },
      },
    },
  },
  effects: ['read'],
  tags: ['files', 'data'],
  cost: { seconds: 0.1 },
  repeat: 'safe',
  async run({ path, max_bytes = CSV_BYTES }, ctx) {
    const csv = await openCsv(path, ctx);
    const profilers = csv.columns.map(columnProfiler);
    const visit = (fields: readonly string[]): void => {
      for (const [index, profiler] of profilers.entries()) profiler.see(fields[index] ?? '');
    };
    const { rows, complete } = await eachRow(csv, ctx, visit, max_bytes);
    return { path, rows, complete, columns: profilers.map((each) => each.profile()) };
  },
});
