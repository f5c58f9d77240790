// Groups records by fields and computes one figure per group and measure.
import { type Json, type JsonObject, nameOfKind } from '../../base/json.ts';
import { CapabilityError } from '../capability-error.ts';

const operations = ['count', 'sum', 'avg', 'min', 'max'] as const;
type Operation = (typeof operations)[number];

export type Measures = Readonly<Record<string, { readonly op: Operation; readonly field?: string }>>;

/** Input schemas that all aggregating capabilities share. */
export const groupBySchema = {
  type: 'array',
  items: { type: 'string' },
  description: 'Fields to group by; by default all rows are one group.',
} as const;

export const measuresSchema = {
  type: 'object',
  minProperties: 1,
  description: 'Figures by name: {"total": {"op": "sum", "field": "amount"}}.',
  additionalProperties: {
    type: 'object',
    required: ['op'],
    additionalProperties: false,
    properties: {
      op: { enum: operations },
      field: { type: 'string', description: 'Field to compute from; count without a field counts rows.' },
    },
  },
} as const;

export const groupsSchema = {
  type: 'array',
  'x-keep': true,
  description: 'The fields of group_by and the measures, in order of first occurrence.',
  items: { type: 'object' },
} as const;

/** @throws CapabilityError AGGREGATE_INVALID */
export function aggregate(
  rows: readonly JsonObject[],
  groupBy: readonly string[],
  measures: Measures,
): readonly JsonObject[] {
  const groups = Map.groupBy(rows, (row) => JSON.stringify(groupBy.map((field) => row[field] ?? null)));
  return [...groups.values()].map((members) => ({
    ...Object.fromEntries(groupBy.map((field) => [field, members[0]?.[field] ?? null])),
    ...Object.fromEntries(
      Object.entries(measures).map(([name, { op, field }]) => [name, measure(name, op, field, members)]),
    ),
  }));
}

function measure(name: string, op: Operation, field: string | undefined, rows: readonly JsonObject[]): Json {
  if (op === 'count') return field === undefined ? rows.length : valuesOf(field, rows).length;
  if (field === undefined) throw wrong(name, `${op} needs a field`);
  const values = valuesOf(field, rows);
  if (values.length === 0) return null;
  if (op === 'min' || op === 'max') return extreme(name, op, field, values);
  const sum = values.reduce<number>((total, value) => total + numberIn(name, op, field, value), 0);
  return op === 'sum' ? sum : sum / values.length;
}

/** Values that are not missing; null counts as missing. */
function valuesOf(field: string, rows: readonly JsonObject[]): readonly Json[] {
  return rows.map((row) => row[field] ?? null).filter((value) => value !== null);
}

function numberIn(name: string, op: Operation, field: string, value: Json): number {
  if (typeof value === 'number') return value;
  throw wrong(name, `${op} needs numbers and "${field}" holds a ${nameOfKind(value)}`);
}

function extreme(name: string, op: 'min' | 'max', field: string, values: readonly Json[]): Json {
  const kinds = new Set(values.map(nameOfKind));
  const [kind] = kinds;
  if (kinds.size > 1 || (kind !== 'number' && kind !== 'string')) {
    throw wrong(
      name,
      `${op} needs only numbers or only strings and "${field}" holds ${[...kinds].sort().join(' and ')}`,
    );
  }
  return values.reduce((best, value) => (before(value, best) === (op === 'min') ? value : best));
}

function before(a: Json, b: Json): boolean {
  return a !== null && b !== null && a < b;
}

function wrong(name: string, problem: string): CapabilityError {
  return new CapabilityError('AGGREGATE_INVALID', `measure "${name}": ${problem}`, { retry: 'never' });
}
