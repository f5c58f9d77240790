// The planner that hands its brief to a capability, which answers with a fragment.
import type { Json } from '../base/json.ts';
import { shownLearned } from '../goals/learned.ts';
import type { Brief } from '../planning/brief.ts';
import { questionIn } from '../planning/question.ts';
import type { Planner } from './planner.ts';

/** It is called again once what it asked has been answered. */
export function capabilityPlanner(name: string): Planner {
  return {
    *propose(brief) {
      const { clarifications = [] } = brief;
      for (let asked = 0; ; asked++) {
        const outcome = yield { kind: 'capability', name, input: { brief: asJson(brief) } };
        if (!outcome.ok) return outcome;
        const isAnswered = questionIn(outcome.value) !== undefined && asked < clarifications.length;
        if (!isAnswered) return { ok: true, fragment: outcome.value };
      }
    },
  };
}

/** A brief is plain JSON by its making; this says so to the compiler and cuts what it shares with the run. */
function asJson({ learned, ...brief }: Brief): Json {
  return JSON.parse(JSON.stringify(learned === undefined ? brief : { ...brief, learned: shownLearned(learned) }));
}
