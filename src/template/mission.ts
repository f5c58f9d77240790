// The built-in frame `mission`: a goal without a template of its own, as one planning step and one step where its plan comes together.
import { defined, isJsonObject, type JsonObject } from '../base/json.ts';

export interface Mission {
  /** May refer to `{{ input.x }}`. */
  readonly goal?: string;
  /** As a template says it: `{ kind: 'fixed', fragment }`, `{ kind: 'hybrid' }`. */
  readonly planner: JsonObject;
  /** More keys of the planning step: `constraints`, `plan_review`, … */
  readonly planning?: JsonObject;
  /** More keys of the step where the plan comes together, such as `convergence`. */
  readonly finish?: JsonObject;
  /** Keys at the top of a template, laid over the usual ones: `capabilities`, `models`, `budget`, … */
  readonly frame?: JsonObject;
}

/** The plan is all of the work, so the budget of the whole run bounds it and not what one fragment usually may bring. */
const bounds = { max_fragment_steps: 10_000, max_fragment_depth: 10_000 };

/** A goal says less than a template: what its calls need and it leaves out, a person is asked for, one thing after the other. */
const QUESTIONS = 10;

/** Lisp that collects the results of the plan's last steps, by their names. */
export const RESULTS = '(into {} (for [[id result] data/depends] [(str/replace id #"^.*/" "") result]))';

/** A document as an author would write it, for `Engine.load`. It halts at the first failure unless `frame` says otherwise. */
export function missionTemplate({ goal, planner, planning = {}, finish = {}, frame = {} }: Mission): JsonObject {
  return {
    reconverge: 1,
    name: 'mission',
    description: 'A goal without a template of its own.',
    output: '{{ results.finish }}',
    capabilities: ['catalog'],
    fail_fast: true,
    ...frame,
    budget: { ...bounds, ...(isJsonObject(frame.budget) ? frame.budget : {}) },
    steps: [
      {
        ...{ name: 'plan', type: 'planning', planner, max_clarifications: QUESTIONS, convergence_target: 'finish' },
        ...defined({ goal }),
        ...planning,
      },
      { name: 'finish', type: 'deferred', dependencies: ['plan'], input: { $lisp: RESULTS }, ...finish },
    ],
  };
}
