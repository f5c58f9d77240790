// Reads the events and templates of earlier versions. A field that was added since needs no upcast: it is absent in old events.
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { ModelProfile } from '../../model/profile.ts';

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
  // Templates that were stored before models had these keys.
  withModelDefaults,
];

/** The values of keys that a stored model profile may lack. */
const modelDefaults = {
  provider: 'openai',
  api: 'auto',
  tools: true,
  fallback: [],
  stallTimeout: 60_000,
  maxRetryAfter: 60_000,
} satisfies Partial<ModelProfile>;

/** Also in the templates that its steps call. */
function withModelDefaults({ models, templates, ...template }: JsonObject): JsonObject {
  const child = (called: JsonObject): JsonObject =>
    isJsonObject(called.template) ? { ...called, template: withModelDefaults(called.template) } : called;
  return {
    ...template,
    models: mapped(models, (model) => ({ ...modelDefaults, ...model })),
    ...(templates === undefined ? {} : { templates: mapped(templates, child) }),
  };
}

function mapped(values: Json | undefined, change: (value: JsonObject) => JsonObject): JsonObject {
  if (!isJsonObject(values)) return {};
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isJsonObject(value) ? change(value) : value]),
  );
}
