// The messages between a journal and the thread that talks to the database.

/** A value of a query: lists become arrays of PostgreSQL. */
export type QueryValue = string | number | boolean | null | readonly string[] | readonly number[];

/** One statement; alone it is a transaction. */
export interface Query {
  /** Names the prepared statement. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly QueryValue[];
  /** Other connections hear of the commit. */
  readonly tells?: true;
}

export type Row = readonly unknown[];

/** An error of the database or of the connection to it. */
export interface QueryError {
  readonly message: string;
  /** SQLSTATE, or the code of the operating system; '' if there is none. */
  readonly code: string;
  /** The database could not be reached, or the connection broke and could not be opened again in time. */
  readonly isConnection: boolean;
}

export type ToDatabase =
  | { readonly type: 'query'; readonly id: number; readonly query: Query }
  /** Resolves after all notifications of earlier commits have been counted. */
  | { readonly type: 'listen'; readonly id: number }
  | { readonly type: 'close'; readonly id: number };

export interface FromDatabase {
  readonly id: number;
  readonly rows?: readonly Row[];
  readonly error?: QueryError;
}

export interface LinkStart {
  readonly port: import('node:worker_threads').MessagePort;
  /** Slot 0 counts answers, slot 1 the commits of other connections. */
  readonly counters: SharedArrayBuffer;
  readonly url: string;
  /** Names this connection in notifications. */
  readonly self: string;
  /** Statements that prepare each connection. */
  readonly prepare: string;
  /** The longest time that a query is tried again while the database is away, in milliseconds. */
  readonly patience: number;
}
