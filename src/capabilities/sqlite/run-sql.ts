// Runs SQL on a SQLite file: one reading statement, or writing statements in one transaction.
import { constants, DatabaseSync, type StatementSync } from 'node:sqlite';
import { failure } from '../../base/failure.ts';
import type { Duration } from '../../base/quantity.ts';
import { bad, good } from '../../base/result.ts';
import type { SqlAnswer, SqlChanges, SqlExecution, SqlParams, SqlQuery, SqlRows, SqlStatement } from './sql-request.ts';

/** The longest wait for another connection that writes. */
const PATIENCE: Duration = 5_000;

/** Never throws. */
export function runSql(question: SqlQuery | SqlExecution): SqlAnswer {
  try {
    const readOnly = question.type === 'query';
    using database = new DatabaseSync(question.file, { readOnly, timeout: PATIENCE });
    return good(question.type === 'query' ? query(database, question) : execute(database, question));
  } catch (thrown) {
    return refusal(thrown);
  }
}

function query(database: DatabaseSync, { statement, limit, maxSize }: SqlQuery): SqlRows {
  database.setAuthorizer(permission('query'));
  const prepared = prepare(database, statement.sql);
  prepared.setReturnArrays(true);
  const columns = namesOf(prepared);
  const rows: SqlRows['rows'][number][] = [];
  let size = 0;
  for (const row of rowsOf(prepared, statement.params)) {
    if (rows.length === limit) return { columns, rows, complete: false };
    const record = Object.fromEntries(columns.map((name, index) => [name, plain(row[index])]));
    size += JSON.stringify(record).length;
    if (size > maxSize) return { columns, rows, complete: false };
    rows.push(record);
  }
  return { columns, rows, complete: true };
}

/** Stores the result together with the changes, so that a repeated execution changes nothing. */
function execute(database: DatabaseSync, { statements, key }: SqlExecution): SqlChanges {
  database.exec('BEGIN IMMEDIATE');
  database.exec('CREATE TABLE IF NOT EXISTS reconverge_done (key TEXT PRIMARY KEY, answer TEXT NOT NULL)');
  const [done] = database.prepare('SELECT answer FROM reconverge_done WHERE key = ?').all(key);
  if (done !== undefined) return JSON.parse(String(done.answer));
  database.setAuthorizer(permission('execute'));
  let changes = 0;
  let lastId: SqlChanges['last_id'] = null;
  for (const { sql, params } of statements) {
    const prepared = prepare(database, sql);
    const result = Array.isArray(params) ? prepared.run(...params.map(bound)) : prepared.run(named(params));
    changes += Number(result.changes);
    if (Number(result.changes) > 0) lastId = plain(result.lastInsertRowid);
  }
  database.setAuthorizer(null);
  const answer = { changes, last_id: lastId };
  database.prepare('INSERT INTO reconverge_done VALUES (?, ?)').run(key, JSON.stringify(answer));
  database.exec('COMMIT');
  return answer;
}

/** Refuses a second statement, which the driver would ignore silently. */
function prepare(database: DatabaseSync, sql: string): StatementSync {
  const prepared = database.prepare(sql);
  const rest = sql.slice(prepared.sourceSQL.length);
  if (/\S/.test(rest.replace(/--[^\n]*|\/\*.*?\*\/|;/gs, ''))) throw new Error('it holds more than one statement');
  prepared.setReadBigInts(true);
  return prepared;
}

function* rowsOf(prepared: StatementSync, params: SqlStatement['params']): Generator<readonly unknown[]> {
  const rows = Array.isArray(params) ? prepared.iterate(...params.map(bound)) : prepared.iterate(named(params));
  for (const row of rows) yield Array.isArray(row) ? row : Object.values(row);
}

function named(params: SqlParams | undefined): Record<string, string | number | null> {
  return Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, bound(value)]));
}

function bound(value: string | number | boolean | null): string | number | null {
  return typeof value === 'boolean' ? Number(value) : value;
}

/** Renames duplicate columns: `id` and `id_2`. */
function namesOf(prepared: StatementSync): readonly string[] {
  const taken = new Set<string>();
  return prepared.columns().map(({ name }) => {
    let own = name;
    for (let n = 2; taken.has(own); n += 1) own = `${name}_${n}`;
    taken.add(own);
    return own;
  });
}

/** Turns integers beyond JSON's range into text, and bytes into Base64. */
function plain(value: unknown): string | number | null {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return typeof value === 'string' ? value : null;
}

const [BUSY, LOCKED] = [5, 6];

function refusal(thrown: unknown): SqlAnswer {
  const { message, errcode } = thrown instanceof Error ? (thrown as Error & { errcode?: number }) : { message: '' };
  if (errcode === BUSY || errcode === LOCKED) {
    return bad(failure('SQL_BUSY', 'somebody else is writing to the file'));
  }
  const why = message === 'not authorized' ? 'it does more than is permitted here' : message;
  return bad(failure('SQL_REFUSED', why, { retry: 'never' }));
}

const { SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE, SQLITE_PRAGMA } = constants;
const { SQLITE_ATTACH, SQLITE_DETACH, SQLITE_TRANSACTION, SQLITE_SAVEPOINT, SQLITE_OK, SQLITE_DENY } = constants;

const reading: readonly number[] = [SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE];

/** VACUUM INTO attaches as well. Executions already run in a transaction. */
const leaving: readonly number[] = [SQLITE_ATTACH, SQLITE_DETACH, SQLITE_TRANSACTION, SQLITE_SAVEPOINT];

/** Pragmas that only read the schema. */
const pragmas = ['table_info', 'table_xinfo', 'table_list', 'index_list', 'index_info', 'foreign_key_list'];

/** For `DatabaseSync.setAuthorizer`. */
function permission(type: 'query' | 'execute'): (action: number, name: string | null) => number {
  return (action, name) => {
    if (action === SQLITE_PRAGMA) return pragmas.includes(name ?? '') ? SQLITE_OK : SQLITE_DENY;
    const isAllowed = type === 'query' ? reading.includes(action) : !leaving.includes(action);
    return isAllowed ? SQLITE_OK : SQLITE_DENY;
  };
}
