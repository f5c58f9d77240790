// csv.aggregate, csv.profile, csv.read and csv.sniff: read one delimited table.
import { defineCapability } from '../capability.ts';
import { aggregate, groupBySchema, groupsSchema, measuresSchema } from '../formats/aggregate.ts';
import { columnProfiler } from '../formats/column-profile.ts';
import { CSV_BYTES, csvFile, eachRow, openCsv, readSchema, wholeSchema } from '../formats/csv.ts';
import { readSlice, slicedSchema, sliceSchema } from '../formats/csv-records.ts';
import { typeOfColumn, typeOfValue, type ValueType, valueTypes } from '../formats/value-type.ts';

const SAMPLE_ROWS = 3;
/** Values to remember per column when looking for duplicates. */
const MOST_REMEMBERED = 200_000;

export const csvSniff = defineCapability({
  name: 'csv.sniff',
  description: 'Find delimiter, encoding, header, column types and number of rows of a CSV file.',
  input: wholeSchema,
  output: {
    type: 'object',
    required: ['path', 'delimiter', 'encoding', 'header', 'columns', 'rows', 'complete', 'sample'],
    properties: {
      path: { type: 'string' },
      delimiter: { type: 'string' },
      encoding: { enum: ['utf-8', 'utf-16le', 'windows-1252'] },
      header: { type: 'boolean' },
      columns: {
        type: 'array',
        'x-keep': true,
        items: {
          type: 'object',
          required: ['name', 'type', 'missing', 'unique'],
          properties: {
            name: { type: 'string' },
            type: { enum: valueTypes },
            missing: { type: 'integer' },
            unique: {
              type: 'boolean',
              description: 'True when no value is missing or repeated, as in a key; a guess above 200,000 rows.',
            },
          },
        },
      },
      ...readSchema,
      sample: { type: 'array', 'x-sample': 2, items: { type: 'array', items: { type: 'string' } } },
    },
  },
  effects: ['read'],
  tags: ['files', 'data'],
  cost: { seconds: 0.05 },
  repeat: 'safe',
  async run({ path, max_bytes = CSV_BYTES }, ctx) {
    const csv = await openCsv(path, ctx);
    const columns = csv.columns.map(columnSniffer);
    const sample: (readonly string[])[] = [];
    const visit = (fields: readonly string[]): void => {
      if (sample.length < SAMPLE_ROWS) sample.push(fields);
      for (const [index, column] of columns.entries()) column.see(fields[index] ?? '');
    };
    const { rows, complete } = await eachRow(csv, ctx, visit, max_bytes);
    const { delimiter, encoding, header } = csv;
    return { path, delimiter, encoding, header, columns: columns.map((each) => each.found()), rows, complete, sample };
  },
});

interface SniffedColumn {
  readonly name: string;
  readonly type: ValueType;
  readonly missing: number;
  readonly unique: boolean;
}

function columnSniffer(name: string): { see(field: string): void; found(): SniffedColumn } {
  const types = new Set<ValueType>();
  const values = new Set<string>();
  let missing = 0;
  let unique = true;
  return {
    see(field) {
      const type = typeOfValue(field);
      types.add(type);
      if (type === 'empty') missing += 1;
      unique &&= type !== 'empty' && !values.has(field);
      if (!unique) values.clear();
      else if (values.size < MOST_REMEMBERED) values.add(field);
    },
    found: () => ({ name, type: typeOfColumn(types), missing, unique: unique && values.size > 0 }),
  };
}

export const csvRead = defineCapability({
  name: 'csv.read',
  description: 'Read rows of a CSV file as records, with numbers, booleans and text.',
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
        description: 'Records by column; an empty field is null.',
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
            count: { type: 'integer', description: 'Number of values that are not missing.' },
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
      rows: { type: 'integer', description: 'Number of rows that were read.' },
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
