// Finds the plan in a reply, under whatever name the planner gave it.
import { type Issue, issue } from '../../base/issue.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject, nameOfKind } from '../../base/json.ts';

const LIST_NAMES = ['steps', 'tasks', 'workflow', 'plan'];
const MAX_WRAPPERS = 3;

export interface Plan {
  readonly steps: readonly Json[];
  /** What stands beside the steps. */
  readonly rest: JsonObject;
  readonly notes: readonly string[];
}

/** `{steps: […]}`, another name for it, a bare list, or one of these wrapped in another. */
export function findPlan(reply: Json): Plan | Issue {
  const notes: string[] = [];
  let at = reply;
  let rest: JsonObject = {};
  for (let depth = 0; depth < MAX_WRAPPERS; depth++) {
    if (isJsonArray(at)) {
      if (depth === 0) notes.push('a list without "steps" around it');
      return { steps: at, rest, notes };
    }
    if (!isJsonObject(at)) break;
    const holder: JsonObject = at;
    const names = LIST_NAMES.filter((name) => Object.hasOwn(holder, name));
    const [name, second] = names;
    if (second !== undefined) return twoPlans(names);
    if (name === undefined) return noPlan(reply);
    if (name !== 'steps') notes.push(`"${name}" for "steps"`);
    const { [name]: inner = null, ...others } = holder;
    rest = { ...rest, ...others };
    at = inner;
  }
  return noPlan(reply);
}

function twoPlans(names: readonly string[]): Issue {
  return issue('FRAGMENT_UNREADABLE', `the reply has ${names.map((name) => `"${name}"`).join(' and ')}`, {
    hint: 'answer with one list, under "steps"',
  });
}

function noPlan(reply: Json): Issue {
  return issue('FRAGMENT_UNREADABLE', `the reply is a ${nameOfKind(reply)} without a list of steps`, {
    hint: 'answer with {"rationale": "…", "steps": [{"name": "…", "capability": "…", "input": {…}}]}',
  });
}
