// Reads a slice of a table as records of numbers, booleans and strings.
import type { CallContext } from '../capability.ts';
import { eachRow, openCsv } from './csv.ts';
import { typeOfValue } from './value-type.ts';

type Scalar = string | number | boolean | null;

export interface TableSlice {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, Scalar>>[];
  /** Rows before the slice. */
  readonly skipped: number;
  /** False when more rows follow. */
  readonly complete: boolean;
}

const MOST_ROWS = 10_000;

/** Input schemas that capabilities share which read a slice. */
export const sliceSchema = {
  skip: { type: 'integer', minimum: 0, description: 'Number of rows to skip; default 0.' },
  take: {
    type: 'integer',
    minimum: 0,
    maximum: MOST_ROWS,
    description: `Most rows to read; default ${MOST_ROWS}.`,
  },
} as const;

/** Output schemas that go with `sliceSchema`. */
export const slicedSchema = {
  skipped: { type: 'integer', description: 'Number of skipped rows.' },
  complete: { type: 'boolean', description: 'False when more rows follow.' },
} as const;

/** @throws CapabilityError as `openCsv` and `eachRow` */
export async function readSlice(path: string, ctx: CallContext, skip = 0, take = MOST_ROWS): Promise<TableSlice> {
  const csv = await openCsv(path, ctx);
  const rows: Record<string, Scalar>[] = [];
  let seen = 0;
  const { complete } = await eachRow(csv, ctx, (fields) => {
    if (seen >= skip && rows.length < take) rows.push(recordOf(csv.columns, fields));
    seen += 1;
    return seen <= skip + take;
  });
  return { columns: csv.columns, rows, skipped: Math.min(skip, seen), complete };
}

function recordOf(columns: readonly string[], fields: readonly string[]): Record<string, Scalar> {
  return Object.fromEntries(columns.map((column, index) => [column, scalarOf(fields[index] ?? '')]));
}

/** Keeps codes such as `007` and dates as text. */
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
