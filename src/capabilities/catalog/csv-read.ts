// csv.read: rows of a table as records, a slice of it at a time.
import { defineCapability } from '../capability.ts';
import { eachRow, openCsv } from '../formats/csv.ts';
import { typeOfValue } from '../formats/value-type.ts';

const MOST_ROWS = 10_000;

type Scalar = string | number | boolean | null;

export const csvRead = defineCapability({
  name: 'csv.read',
  description: 'Read rows of a CSV file as records: numbers and booleans as such, all else as text.',
  input: {
    type: 'object',
    required: ['path'],
    additionalProperties: false,
    properties: {
      path: { type: 'string', description: 'CSV or TSV file under one of the granted roots.' },
      skip: { type: 'integer', minimum: 0, description: 'Rows to leave out before the first; default none.' },
      take: {
        type: 'integer',
        minimum: 0,
        maximum: MOST_ROWS,
        description: `How many rows to read; default ${MOST_ROWS}.`,
      },
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
      skipped: { type: 'integer', description: 'Rows before the first of these.' },
      complete: { type: 'boolean', description: 'False when more rows follow.' },
    },
  },
  effects: ['read'],
  tags: ['files', 'data'],
  cost: { ms: 50 },
  repeat: 'safe',
  async run({ path, skip = 0, take = MOST_ROWS }, ctx) {
    const csv = await openCsv(path, ctx);
    const rows: Record<string, Scalar>[] = [];
    let seen = 0;
    const read = await eachRow(csv, ctx, (fields) => {
      if (seen >= skip && rows.length < take) rows.push(recordOf(csv.columns, fields));
      seen += 1;
      return seen <= skip + take;
    });
    const skipped = Math.min(skip, seen);
    return { path, columns: [...csv.columns], rows, skipped, complete: read.complete };
  },
});

function recordOf(columns: readonly string[], fields: readonly string[]): Record<string, Scalar> {
  return Object.fromEntries(columns.map((column, index) => [column, scalarOf(fields[index] ?? '')]));
}

/** Codes such as `007` and dates stay as they are written. */
function scalarOf(field: string): Scalar {
  const text = field.trim();
  switch (typeOfValue(text)) {
    case 'empty':
      return null;
    case 'integer':
    case 'number':
      return Number(text);
    case 'boolean':
      return text.toLowerCase() === 'true';
    default:
      return field;
  }
}
