// Tells the type of a field of delimited text, and of a column of fields.

export const valueTypes = ['empty', 'integer', 'number', 'boolean', 'date', 'datetime', 'string'] as const;
export type ValueType = (typeof valueTypes)[number];

const INTEGER = /^[+-]?(?:0|[1-9]\d*)$/;
const NUMBER = /^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATETIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?$/;

/** Codes such as `007` are strings, and so are integers too large for a double. */
export function typeOfValue(field: string): ValueType {
  const text = field.trim();
  if (text === '') return 'empty';
  if (INTEGER.test(text)) return Number.isSafeInteger(Number(text)) ? 'integer' : 'string';
  if (NUMBER.test(text)) return Number.isFinite(Number(text)) ? 'number' : 'string';
  if (/^(?:true|false)$/i.test(text)) return 'boolean';
  if (DATE.test(text)) return isDate(text) ? 'date' : 'string';
  return DATETIME.test(text) && isDate(text.slice(0, 10)) ? 'datetime' : 'string';
}

/** Refuses 2024-02-30, which `Date` reads as March 1. */
function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** The narrowest type that fits all values; missing values do not count. */
export function typeOfColumn(seen: ReadonlySet<ValueType>): ValueType {
  const types = [...seen].filter((type) => type !== 'empty');
  const [only] = types;
  if (only === undefined) return 'empty';
  if (types.length === 1) return only;
  if (types.every((type) => type === 'integer' || type === 'number')) return 'number';
  return types.every((type) => type === 'date' || type === 'datetime') ? 'datetime' : 'string';
}
