// What is asked of a SQLite file, and what it answers: plain JSON, since it is asked in a process of its own.

type Value = string | number | boolean | null;

/** Values of `?` in order, or of `:name` by name. */
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
  /** Characters of JSON in all. */
  readonly maxSize: number;
}

export interface Execution {
  readonly type: 'execute';
  /** Absolute. */
  readonly file: string;
  /** In one transaction. */
  readonly statements: readonly Statement[];
  /** What has been done under this key is not done again. */
  readonly key: string;
}

export interface Rows {
  readonly columns: readonly string[];
  /** By column; bytes are Base64, whole numbers that JSON cannot hold are text. */
  readonly rows: readonly Readonly<Record<string, string | number | null>>[];
  /** False when there are more. */
  readonly complete: boolean;
}

export interface Changes {
  readonly changes: number;
  readonly last_id: string | number | null;
}

export type SqlAnswer =
  | { readonly ok: true; readonly value: Rows | Changes }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly retry: 'may' | 'never' };
