// What a fragment may say in the language but nothing runs yet.
import { type Issue, issue } from '../../base/issue.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { checkStepFeatures, release } from '../../template/check/unavailable.ts';

const KEYS = ['agents'];

export function unavailableIn(document: JsonObject & { readonly steps: readonly Json[] }): readonly Issue[] {
  const beside = KEYS.filter((key) => asksFor(document[key])).map((key) =>
    issue('FEATURE_UNAVAILABLE', `"${key}" is not run by version ${release}`, {
      path: [key],
      hint: 'take it out; it comes with a later version',
    }),
  );
  const inSteps = document.steps.flatMap((step, index) =>
    isJsonObject(step) ? checkStepFeatures(step, ['steps', index]) : [],
  );
  return [...beside, ...inSteps];
}

/** Empty lists and maps ask for nothing. */
function asksFor(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : value !== undefined;
}
