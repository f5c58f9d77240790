// The requests to the SQL process and its responses, as plain JSON.
import type { Failure } from '../../base/failure.ts';
import type { Result } from '../../base/result.ts';

type Value = string | number | boolean | null;

/** Values for `?` in order, or for `:name` by name. */
export type Params = readonly Value[] | Readonly<Record<string, Value>>;

export interface Statement {
  readonly sql: string;
  readonly params?: Params;
}

export interface Query {
  readonly type: 'query';
  /** Absolute. */
  readonly file: string;
  readonly statement: Statement;
  /** Rows. */
  readonly limit: number;
  /** Characters of JSON for all rows. */
  readonly maxSize: number;
}

export interface Execution {
  readonly type: 'execute';
  /** Absolute. */
  readonly file: string;
  /** Executed in one transaction. */
  readonly statements: readonly Statement[];
  /** A repeated execution with this key returns the first result and changes nothing. */
  readonly key: string;
}

export interface Rows {
  readonly columns: readonly string[];
  /** Rows by column. Bytes are Base64; integers beyond JSON's range are text. */
  readonly rows: readonly Readonly<Record<string, string | number | null>>[];
  /** False when there are more rows. */
  readonly complete: boolean;
}

export interface Changes {
  readonly changes: number;
  readonly last_id: string | number | null;
}

/** The failures are SQL_REFUSED and SQL_BUSY. */
export type SqlAnswer = Result<Rows | Changes, Failure>;
