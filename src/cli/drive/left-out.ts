// Tells once for each model of a run which parts of its requests the server does not take.
import { isJsonArray, ownProperty } from '../../base/json.ts';
import type { Recorded } from '../../engine/record/event.schema.ts';
import { featureName } from '../../llm/feature-words.ts';
import { storedValue } from '../../view/stored-value.ts';

/** Returns a sentence for each part that was left out of a request, and was not named before. */
export type LeftOutWatch = (
  events: readonly Recorded[],
  blob: (digest: string) => string | undefined,
) => readonly string[];

export function leftOutWatch(): LeftOutWatch {
  /** Profiles of the calls that are under way. */
  const profiles = new Map<string, string>();
  const told = new Set<string>();
  return (events, blob) =>
    events.flatMap(({ event }) => {
      if (event.type !== 'call.started' && event.type !== 'call.ended') return [];
      const call = `${event.step} ${event.attempt} ${event.call}`;
      if (event.type === 'call.started') {
        if (event.kind === 'model') profiles.set(call, event.name);
        return [];
      }
      const profile = profiles.get(call);
      profiles.delete(call);
      if (profile === undefined || event.value === undefined) return [];
      const leftOut = ownProperty(storedValue(event.value, blob), 'leftOut');
      const parts = isJsonArray(leftOut) ? leftOut.filter((part) => typeof part === 'string') : [];
      const fresh = parts.filter((part) => !told.has(`${profile} ${part}`));
      for (const part of fresh) told.add(`${profile} ${part}`);
      if (fresh.length === 0) return [];
      return [
        `the server of the model ${profile} does not take ${fresh.map(featureName).join(', ')}; requests go without`,
      ];
    });
}
