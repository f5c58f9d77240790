// The address of a database as people may see it.

/** `postgres://ada@db.example:5432/runs`, without the password and the parameters. */
export function shownAddress(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return 'postgres://…';
  const { protocol, username, host, pathname } = parsed;
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`;
}
