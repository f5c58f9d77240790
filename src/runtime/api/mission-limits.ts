// The limits of a mission besides its budget: repairs, turns, time and parallel work.
import { defined, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import type { Duration } from '../../base/quantity.ts';

export interface MissionLimits {
  /** The most repairs of the plan in all; by default 5. The same as `budget: { max_total_replans }`. */
  readonly maxTotalReplans?: number;
  /** The most repairs of one failing step; by default 3. A phase that fails as a whole is planned once more besides. */
  readonly maxReplanAttempts?: number;
  /** The least time between the beginnings of two repairs: milliseconds, or a text such as `500ms`; by default one second. */
  readonly replanCooldown?: Duration | string;
  /** The most answers of a model for one attempt of an agent, also where an agent sets a higher `max_turns`. */
  readonly maxTurns?: number;
  /**
   * The time limit of one attempt of a planned step: milliseconds, or a text such as `90s`. It is the default of steps
   * without a `timeout`, and shortens longer ones.
   */
  readonly timeout?: Duration | string;
  /** The most attempts of the run at the same time; by default 10. */
  readonly maxConcurrency?: number;
}

/** The parts of a mission template that state the limits. */
export interface LimitedMission {
  readonly frame: JsonObject;
  readonly planning: JsonObject;
  readonly budget: Readonly<Record<string, Json>>;
}

/** Adds the limits to the parts of a mission. A limit wins over the same limit in `frame`, `planning` or `budget`. */
export function withLimits(
  { frame = {}, planning = {}, budget = {} }: Partial<LimitedMission>,
  { maxTotalReplans, maxReplanAttempts, replanCooldown, maxTurns, timeout, maxConcurrency }: MissionLimits,
): LimitedMission {
  return {
    frame: {
      ...frame,
      ...added(frame, 'limits', { max_turns: maxTurns, step_timeout: durationOf(timeout) }),
      ...added(frame, 'concurrency', { max: maxConcurrency }),
    },
    planning: {
      ...planning,
      ...added(planning, 'replan', {
        max_replan_attempts: maxReplanAttempts,
        replan_cooldown: durationOf(replanCooldown),
      }),
    },
    budget: { ...budget, ...defined({ max_total_replans: maxTotalReplans }) },
  };
}

/** The entry of a map with further keys; empty when no key is given. */
function added(to: JsonObject, key: string, more: Readonly<Record<string, Json | undefined>>): JsonObject {
  const given = Object.entries(more).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  if (given.length === 0) return {};
  const before = ownProperty(to, key);
  return { [key]: { ...(isJsonObject(before) ? before : {}), ...Object.fromEntries(given) } };
}

function durationOf(time: Duration | string | undefined): string | undefined {
  return typeof time === 'number' ? `${time}ms` : time;
}
