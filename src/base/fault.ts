// Faults: bugs of our own. A thrown Fault stops a run with its journal intact.

export class Fault extends Error {
  override readonly name = 'Fault';
}

/** Makes the compiler prove that a switch is exhaustive. */
export function unreachable(value: never): never {
  throw new Fault(`unreachable: ${JSON.stringify(value)}`);
}

/** The value; throws a Fault with the name of the missing thing. */
export function present<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Fault(`missing: ${what}`);
  return value;
}
