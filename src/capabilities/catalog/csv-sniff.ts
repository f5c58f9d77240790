// csv.sniff: what a table of delimited text looks like, before anyone computes with it.
import { defineCapability } from '../capability.ts';
import { CSV_BYTES, eachRow, openCsv, readSchema, wholeSchema } from '../formats/csv.ts';
import { typeOfColumn, typeOfValue, type ValueType, valueTypes } from '../formats/value-type.ts';

const SAMPLE_ROWS = 3;
/** So many values are remembered to see whether one comes twice. */
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
              description: 'No value is missing or comes twice, as in a key; beyond 200,000 rows a guess.',
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
