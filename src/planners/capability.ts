// The capability planner: passes its brief to a capability that answers with a fragment.
import type { Json } from '../base/json.ts';
import { shownLearned } from '../goals/learned.ts';
import type { Brief } from '../planning/brief.ts';
import { questionIn } from '../planning/question.ts';
import type { Planner } from './planner.ts';

/** Calls the capability again after its question has been answered. */
export function capabilityPlanner(name: string): Planner {
  return {
    *propose(brief) {
      const { clarifications = [] } = brief;
      for (let asked = 0; ; asked++) {
        const outcome = yield { kind: 'capability', name, input: { brief: asJson(brief) } };
        if (!outcome.ok) return { ok: false, failure: outcome.error };
        const isAnswered = questionIn(outcome.value) !== undefined && asked < clarifications.length;
        if (!isAnswered) return { ok: true, fragment: outcome.value };
      }
    },
  };
}

/** Copies the brief as JSON, because its type does not say that it is JSON. */
function asJson({ learned, ...brief }: Brief): Json {
  return JSON.parse(JSON.stringify(learned === undefined ? brief : { ...brief, learned: shownLearned(learned) }));
}
