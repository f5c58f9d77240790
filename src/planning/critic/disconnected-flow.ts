// Finding: a step mentions another step's result without a reference to it.
import { issue } from '../../base/issue.ts';
import { isJsonArray, isJsonObject, type Json } from '../../base/json.ts';
import { isLisp } from '../../template/references.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Check } from '../checks/check.ts';
import { isMeantToUse, resultsUsedBy } from './results-used.ts';

/** A dependency without a reference is a valid order; only a step that also mentions the other step's name is reported. */
export const disconnectedFlow: Check = ({ fragment, wiring: { byName } }) =>
  fragment.steps.flatMap((step, index) => {
    if (!isMeantToUse(step)) return [];
    const { names, all } = resultsUsedBy(step);
    if (all) return [];
    const words = new Set(wordsOf(step));
    return step.dependencies
      .filter((name) => byName.has(name) && !names.has(name) && words.has(name) && isNoPlainWord(name))
      .map((name) =>
        issue('CRITIC_DISCONNECTED_FLOW', `step "${step.name}" speaks of "${name}" and is given nothing of it`, {
          severity: 'warning',
          path: ['steps', index],
          hint: `refer to its result in the input, as {{ results.${name} }}`,
        }),
      );
  });

/** Only a name such as `fetch_a` surely means the step; `fetch` may be a verb. */
function isNoPlainWord(name: string): boolean {
  return /[_\d]/.test(name);
}

function wordsOf({ description = '', input = null, fanOut }: StepSpec): readonly string[] {
  const inside = fanOut === undefined ? [] : wordsOf(fanOut.do);
  return [...[description, ...textsIn(input)].flatMap((text) => text.match(/[a-z0-9_]+/g) ?? []), ...inside];
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isLisp(value)) return [];
  if (isJsonArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
