// Faults: our own bugs. Thrown; they stop a run with its journal intact.

export class Fault extends Error {
  override readonly name = 'Fault';
}

/** Makes the compiler prove that a switch is exhaustive. */
export function unreachable(value: never): never {
  throw new Fault(`unreachable: ${JSON.stringify(value)}`);
}

/** The value, or a Fault that says what should have been there. */
export function present<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Fault(`missing: ${what}`);
  return value;
}
