// The requests to the SQL process and its responses, as plain JSON.
import type { Failure } from '../../base/failure.ts';
import type { Result } from '../../base/result.ts';

type Value = string | number | boolean | null;

/** Values for `?` in order, or for `:name` by name. */
export type SqlParams = readonly Value[] | Readonly<Record<string, Value>>;

export interface SqlStatement {
  readonly sql: string;
  readonly params?: SqlParams;
}

export interface SqlQuery {
  readonly type: 'query';
  /** Absolute. */
  readonly file: string;
  readonly statement: SqlStatement;
  /** The most rows. */
  readonly limit: number;
  /** Characters of JSON for all rows. */
  readonly maxSize: number;
}

export interface SqlExecution {
  readonly type: 'execute';
  /** Absolute. */
  readonly file: string;
  /** Executed in one transaction. */
  readonly statements: readonly SqlStatement[];
  /** A repeated execution with this key returns the first result and changes nothing. */
  readonly key: string;
}

export interface SqlRows {
  readonly columns: readonly string[];
  /** Rows by column. Bytes are Base64; integers beyond JSON's range are text. */
  readonly rows: readonly Readonly<Record<string, string | number | null>>[];
  /** False when there are more rows. */
  readonly complete: boolean;
}

export interface SqlChanges {
  readonly changes: number;
  readonly last_id: string | number | null;
}

/** The failures are SQL_REFUSED and SQL_BUSY. */
export type SqlAnswer = Result<SqlRows | SqlChanges, Failure>;
