// Grants: allow and deny lists over capability names.

/** `files.*` matches names that begin with `files.`; `*` matches all. An empty `allow` allows all; `deny` wins. */
export function isGranted(name: string, allow: readonly string[], deny: readonly string[]): boolean {
  const allowed = allow.length === 0 || allow.some((glob) => matches(name, glob));
  return allowed && !deny.some((glob) => matches(name, glob));
}

function matches(name: string, glob: string): boolean {
  const parts = glob.split('*');
  const [first = '', ...rest] = parts;
  if (rest.length === 0) return name === glob;
  if (!name.startsWith(first)) return false;
  let from = first.length;
  const last = rest.pop() ?? '';
  for (const part of rest) {
    const found = name.indexOf(part, from);
    if (found < 0) return false;
    from = found + part.length;
  }
  return name.length - last.length >= from && name.endsWith(last);
}
