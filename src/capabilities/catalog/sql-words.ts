// What the SQL capabilities take alike.
import { CapabilityError } from '../capability-error.ts';

export const fileProperty = {
  type: 'string',
  description: 'SQLite file under one of the granted roots.',
} as const;

export const paramsProperty = {
  description: 'Values of ? in order, or of :name by name. Never write values into the SQL itself.',
  anyOf: [
    { type: 'array', items: { type: ['string', 'number', 'boolean', 'null'] } },
    { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } },
  ],
} as const;

/** @throws CapabilityError SQL_ENGINE_UNAVAILABLE for a database that is reached by an address */
export function wantFile(file: string): void {
  if (!/^[a-z][a-z0-9+]*:\/\//i.test(file)) return;
  throw new CapabilityError(
    'SQL_ENGINE_UNAVAILABLE',
    'databases that are reached by an address, such as PostgreSQL, are not asked by this version; name a SQLite file',
    { retry: 'never' },
  );
}
