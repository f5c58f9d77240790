// Opens the journal of the store that a command uses: a SQLite file or a PostgreSQL database.
import type { Journal } from '../store/journal.ts';
import type { Durability } from '../store/sqlite-database.ts';
import type { StoreAccess } from '../store/sqlite-journal.ts';
import { isPostgresAddress } from '../store/store-address.ts';
import type { ParsedArguments } from './command.ts';
import { storeFile } from './store-file.ts';

export interface StoreOptions {
  /** `any`: a SQLite store that cannot be written is opened for reading. */
  readonly access: StoreAccess;
  readonly durability?: Durability;
}

/** @throws StoreRefused */
export async function openStore(
  given: ParsedArguments,
  { access, durability = 'strict' }: StoreOptions,
): Promise<Journal> {
  const store = storeFile(given);
  if (isPostgresAddress(store)) {
    const { openPostgresJournal } = await import('../postgres/journal/postgres-journal.ts');
    return openPostgresJournal(store, { durability });
  }
  const { openSqliteJournal } = await import('../store/sqlite-journal.ts');
  return openSqliteJournal(store, { access, durability });
}
