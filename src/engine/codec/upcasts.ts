// Reads the events and templates of earlier versions. A field that was added since needs no upcast: it is absent in old events.
import type { JsonObject } from '../../base/json.ts';

export type Upcast = (written: JsonObject) => JsonObject;

/** An earlier version of an event type, which is no longer written. */
export interface FormerEvent {
  readonly type: string;
  /** The number that the events were stored under. */
  readonly code: number;
  /** The fields that were not stored. */
  readonly usual: JsonObject;
  /** Turns an event into one of the next version of its type. */
  readonly upcast: Upcast;
}

/**
 * Former versions, by type in order of version. A change that would misread old events moves the old version here with its
 * number, and the type gets the next number. No change has needed that so far.
 */
export const formerEvents: readonly FormerEvent[] = [];

/** Each turns a stored template into one of the next version, and leaves templates of later versions as they are. */
export const templateUpcasts: readonly Upcast[] = [
  // Templates that were stored before models existed.
  (template) => ({ models: {}, agents: {}, skills: [], ...template }),
];
