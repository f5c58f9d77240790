// The planner that hands its brief to a capability, which answers with a fragment.
import type { Json } from '../base/json.ts';
import type { Brief } from '../planning/brief.ts';
import type { Planner } from './planner.ts';

export function capabilityPlanner(name: string): Planner {
  return {
    *propose(brief) {
      const outcome = yield { kind: 'capability', name, input: { brief: asJson(brief) } };
      return outcome.ok ? { ok: true, fragment: outcome.value } : outcome;
    },
  };
}

/** A brief is plain JSON by its making; this says so to the compiler and cuts what it shares with the run. */
function asJson(brief: Brief): Json {
  return JSON.parse(JSON.stringify(brief));
}
