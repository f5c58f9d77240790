// Brings the tables of a PostgreSQL store up to date, and copies a SQLite store into it.
import type { Duration } from '../base/quantity.ts';
import { good, type Result } from '../base/result.ts';
import { shownAddress } from '../store/store-address.ts';
import { type CopiedStore, copyStore, type DrivenRun } from './copy/copy-store.ts';
import { asRefusal } from './journal/refusal.ts';
import { openLink } from './link/link.ts';
import { migrate } from './migrations/migrate.ts';

export interface MigratedStore {
  /** The number of applied migrations. */
  readonly migrations: number;
  readonly copied?: CopiedStore;
}

const PATIENCE: Duration = 10_000;

/** @param from a SQLite store whose runs are copied. `onRun` is called after each of them. @throws StoreRefused */
export async function migrateStore(
  url: string,
  from: string | undefined,
  onRun: () => void,
): Promise<Result<MigratedStore, DrivenRun>> {
  const store = shownAddress(url);
  const link = openLink({ url, patience: PATIENCE });
  try {
    const migrations = migrate(link, store);
    if (from === undefined) return good({ migrations });
    const copied = copyStore(from, link, onRun);
    return copied.ok ? good({ migrations, copied: copied.value }) : copied;
  } catch (error) {
    throw asRefusal(error, store);
  } finally {
    await link.close();
  }
}
