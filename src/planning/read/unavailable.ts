// What a fragment may say in the language but nothing runs yet.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';

const TYPES = [undefined, 'task', 'standard', 'compute', 'planning', 'deferred', 'deferred_convergence'];
const STEP_KEYS = ['agent', 'judge', 'approval', 'attachments', 'needs', 'replan', 'plan_review', 'max_clarifications'];
const RECOVERY_KEYS = ['on_failure', 'on_verification_failure'];

export function unavailableIn(document: JsonObject & { readonly steps: readonly Json[] }): readonly Issue[] {
  const beside = ['agents', 'needs']
    .filter((key) => isSaid(document[key]))
    .map((key) => unavailable(`"${key}"`, [key]));
  return [...beside, ...document.steps.flatMap((step, index) => inStep(step, ['steps', index]))];
}

function inStep(step: Json, at: readonly PathPart[]): readonly Issue[] {
  if (!isJsonObject(step)) return [];
  const { type } = step;
  const kind = TYPES.some((each) => each === type) ? [] : [unavailable(`step type "${String(type)}"`, [...at, 'type'])];
  const keys = STEP_KEYS.filter((key) => isSaid(step[key])).map((key) => unavailable(`"${key}"`, [...at, key]));
  const replans = RECOVERY_KEYS.filter((key) => step[key] === 'replan').map((key) =>
    unavailable(`"${key}: replan"`, [...at, key]),
  );
  return [...kind, ...keys, ...replans];
}

/** Empty lists and maps, `false` and `never` ask for nothing. */
function isSaid(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === false || value === 'never') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

function unavailable(what: string, path: readonly PathPart[]): Issue {
  return issue('FEATURE_UNAVAILABLE', `${what} is not available yet`, {
    path,
    hint: 'plan with steps of type task, compute, planning and deferred',
  });
}
