// What earlier versions wrote, and how it reads today. What was only added since needs nothing here: in what was written before it is absent.
import type { JsonObject } from '../../base/json.ts';

export type Upcast = (written: JsonObject) => JsonObject;

/** A version of a type of event that is not written any more. */
export interface FormerEvent {
  readonly type: string;
  /** The number it was written under. */
  readonly code: number;
  /** What was left out of it. */
  readonly usual: JsonObject;
  /** Makes of it what the next version of its type says. */
  readonly upcast: Upcast;
}

/**
 * By type in order of version. When a change to a type would have its old events misread, what it was stands here from
 * then on with the number that it had, and the type gets the next number. No change has been of that kind so far.
 */
export const formerEvents: readonly FormerEvent[] = [];

/** Each makes of a stored template what the version after it would have stored, and leaves those of later versions as they are. */
export const templateUpcasts: readonly Upcast[] = [
  // Before there were models.
  (template) => ({ models: {}, agents: {}, skills: [], ...template }),
];
