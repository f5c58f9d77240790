// The built-in template `mission` for a goal: one planning step, and one step at which its plan converges.
import { defined, isJsonObject, type JsonObject } from '../base/json.ts';

/** The name of the built-in template. */
export const MISSION = 'mission';

export interface Mission {
  /** May refer to `{{ input.x }}`. */
  readonly goal?: string;
  /** As in a template, for example `{ kind: 'hybrid' }`. */
  readonly planner: JsonObject;
  /** Further keys of the planning step, such as `constraints`. */
  readonly planning?: JsonObject;
  /** Further keys of the convergence target, such as `convergence`. */
  readonly finish?: JsonObject;
  /** Keys at the top of the template, which override the defaults, such as `models`. */
  readonly frame?: JsonObject;
}

/** The plan is the whole run, so the budget of the run limits it, and not the usual bounds of one fragment. */
const bounds = { max_fragment_steps: 10_000, max_fragment_depth: 10_000 };

/** The most questions to a person: a goal often leaves out arguments of its calls. */
const QUESTIONS = 10;

/** Lisp that collects the results of the plan's last steps by name. */
export const RESULTS = '(into {} (for [[id result] data/depends] [(str/replace id #"^.*/" "") result]))';

/** The template as a document for `Engine.load`. A run stops at the first failure unless `frame` has `fail_fast: false`. */
export function missionTemplate({ goal, planner, planning = {}, finish = {}, frame = {} }: Mission): JsonObject {
  return {
    reconverge: 1,
    name: MISSION,
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
