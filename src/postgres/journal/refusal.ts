// Turns errors of PostgreSQL into refusals of the store.
import { type StoreProblem, StoreRefused } from '../../store/store-refused.ts';
import { QueryFailed } from '../link/link.ts';

/** SQLSTATEs, https://www.postgresql.org/docs/current/errcodes-appendix.html, and codes of the operating system. */
const PROBLEMS: Readonly<Record<string, StoreProblem>> = {
  '28000': 'STORE_FORBIDDEN', // invalid_authorization_specification
  '28P01': 'STORE_FORBIDDEN', // invalid_password
  '42501': 'STORE_FORBIDDEN', // insufficient_privilege
  '3D000': 'STORE_UNREACHABLE', // invalid_catalog_name: there is no such database
  '25006': 'STORE_READ_ONLY', // read_only_sql_transaction: a standby
  '53100': 'STORE_FULL', // disk_full
  '53300': 'STORE_UNREACHABLE', // too_many_connections
  '57P01': 'STORE_UNREACHABLE', // admin_shutdown
  '57P02': 'STORE_UNREACHABLE', // crash_shutdown
  '57P03': 'STORE_UNREACHABLE', // cannot_connect_now
  '42P01': 'STORE_DAMAGED', // undefined_table
  '42883': 'STORE_DAMAGED', // undefined_function
  PACKAGE_MISSING: 'STORE_UNREACHABLE',
  XX001: 'STORE_DAMAGED', // data_corrupted
  XX002: 'STORE_DAMAGED', // index_corrupted
};

export function asRefusal(error: unknown, store: string): unknown {
  if (!(error instanceof QueryFailed)) return error;
  const problem = error.isConnection ? 'STORE_UNREACHABLE' : PROBLEMS[error.code];
  return problem === undefined ? error : new StoreRefused(problem, store, error, error.message);
}

/** Returns the result of `work`, and turns an error of the database into a refusal. */
export function refusing<T>(store: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asRefusal(error, store);
  }
}
