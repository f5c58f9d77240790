// The parts of a report as data, before they are printed.
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';

export interface ReportSection {
  readonly heading?: string;
  /** 2 to 6; default 2. */
  readonly level?: number;
  /** One paragraph, or several. */
  readonly text?: string | readonly string[];
  readonly list?: readonly Json[];
  readonly table?: ReportTable;
}

export interface ReportTable {
  readonly columns: readonly string[];
  /** Lists in column order, or maps by column. Missing cells stay empty. */
  readonly rows: readonly (readonly Json[] | JsonObject)[];
}

/** The texts of each row, in column order. */
export function cellsOf({ columns, rows }: ReportTable): readonly (readonly string[])[] {
  return rows.map((row) =>
    columns.map((column, index) => printed((isJsonArray(row) ? row[index] : row[column]) ?? '')),
  );
}

/** Rounds numbers to at most six digits. */
export function printed(value: Json): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(Number.isInteger(value) ? value : Number(value.toPrecision(6)));
  return isJsonArray(value) || isJsonObject(value) ? JSON.stringify(value) : String(value);
}
