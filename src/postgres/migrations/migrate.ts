// The schema of a store in PostgreSQL: its version, and the migrations that bring it up to date.
import { StoreRefused } from '../../store/store-refused.ts';
import type { Link } from '../link/link.ts';
import { journal } from './0001-journal.ts';

/** In order; the table `reconverge.migrations` has a row for each that was applied. */
const MIGRATIONS: readonly string[] = [journal];

/** One process migrates at a time: the lock is of this number. */
const LOCK = 7_266_383;

/** The number of applied migrations; undefined when the database has no store yet. @throws StoreRefused, QueryFailed */
function versionOf(link: Link, store: string): number | undefined {
  const [found] = link.wait({
    name: 'has-store',
    text: "SELECT to_regclass('reconverge.migrations') IS NOT NULL, to_regnamespace('reconverge') IS NOT NULL",
    values: [],
  });
  const [hasMigrations, hasSchema] = found ?? [];
  if (hasMigrations !== true && hasSchema === true) throw new StoreRefused('STORE_FOREIGN', store);
  if (hasMigrations !== true) return undefined;
  const [row] = link.wait({
    name: 'store-version',
    text: 'SELECT coalesce(max(number), 0) FROM reconverge.migrations',
    values: [],
  });
  return Number(row?.[0] ?? 0);
}

/** Applies the missing migrations in one transaction, and returns their number. @throws StoreRefused, QueryFailed */
export function migrate(link: Link, store: string): number {
  const before = versionOf(link, store) ?? 0;
  if (before >= MIGRATIONS.length) return 0;
  const steps = MIGRATIONS.map((text, index) => {
    const number = index + 1;
    // Another process may have applied it while this one waited for the lock.
    return `IF NOT EXISTS (SELECT 1 FROM reconverge.migrations WHERE number = ${number}) THEN
      EXECUTE ${quoted(text)};
      INSERT INTO reconverge.migrations (number) VALUES (${number});
    END IF;`;
  });
  link.wait({
    name: '',
    text: `DO ${quoted(`BEGIN
      PERFORM pg_advisory_xact_lock(${LOCK});
      CREATE SCHEMA IF NOT EXISTS reconverge;
      CREATE TABLE IF NOT EXISTS reconverge.migrations (number integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
      ${steps.join('\n')}
    END`)}`,
    values: [],
  });
  return MIGRATIONS.length - before;
}

/**
 * An empty database gets its tables at once; an older store is migrated only when somebody asks, because workers of the
 * older version may still use it. @throws StoreRefused
 */
export function prepareStore(link: Link, store: string): void {
  const version = versionOf(link, store);
  if (version === undefined) migrate(link, store);
  else if (version < MIGRATIONS.length) throw new StoreRefused('STORE_OLDER', store);
  else if (version > MIGRATIONS.length) throw new StoreRefused('STORE_NEWER', store);
}

/** A dollar-quoted text whose tag does not occur in it. */
function quoted(text: string): string {
  let tag = '$q$';
  for (let n = 0; text.includes(tag); n++) tag = `$q${n}$`;
  return `${tag}${text}${tag}`;
}
