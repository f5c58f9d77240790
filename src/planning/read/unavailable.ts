// What a fragment may say in the language but nothing runs yet.
import type { Issue } from '../../base/issue.ts';
import { isJsonObject, type Json } from '../../base/json.ts';
import { checkStepFeatures } from '../../template/check/unavailable.ts';

export function unavailableIn(steps: readonly Json[]): readonly Issue[] {
  return steps.flatMap((step, index) => (isJsonObject(step) ? checkStepFeatures(step, ['steps', index]) : []));
}
