// What a statement may do, asked by SQLite itself for each part of it: nothing that leaves the file, whatever the words are.
import { constants } from 'node:sqlite';

const { SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE, SQLITE_PRAGMA } = constants;
const { SQLITE_ATTACH, SQLITE_DETACH, SQLITE_TRANSACTION, SQLITE_SAVEPOINT, SQLITE_OK, SQLITE_DENY } = constants;

const reading: readonly number[] = [SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE];

/** VACUUM INTO attaches too; whoever writes is within a transaction already. */
const leaving: readonly number[] = [SQLITE_ATTACH, SQLITE_DETACH, SQLITE_TRANSACTION, SQLITE_SAVEPOINT];

/** Those that only tell of the schema. */
const pragmas = ['table_info', 'table_xinfo', 'table_list', 'index_list', 'index_info', 'foreign_key_list'];

/** For `DatabaseSync.setAuthorizer`. */
export function permission(type: 'query' | 'execute'): (action: number, name: string | null) => number {
  return (action, name) => {
    if (action === SQLITE_PRAGMA) return pragmas.includes(name ?? '') ? SQLITE_OK : SQLITE_DENY;
    const isAllowed = type === 'query' ? reading.includes(action) : !leaving.includes(action);
    return isAllowed ? SQLITE_OK : SQLITE_DENY;
  };
}
