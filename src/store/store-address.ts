// The address of a store: the path of a SQLite file, or the address of a PostgreSQL database.

export function isPostgresAddress(store: string): boolean {
  return /^postgres(ql)?:\/\//.test(store);
}

/** The store as people may see it: `postgres://ada@db.example:5432/runs`, without the password and the parameters. */
export function shownAddress(store: string): string {
  if (!isPostgresAddress(store)) return store;
  const parsed = URL.parse(store);
  if (parsed === null) return 'postgres://…';
  const { protocol, username, host, pathname } = parsed;
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`;
}
