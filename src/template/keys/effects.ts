// Effects in a template: a list of effects, and a policy that allows effects, denies them or requires approval.
import type { Json } from '../../base/json.ts';
import { type Effect, effects } from '../../contract/declaration.ts';
import { choices, map } from './kinds.ts';

/** Sorts the effects in the order of `effects`. */
export function effectList(description: string, example: Json) {
  return choices(description, effects, example).to((named): readonly Effect[] =>
    effects.filter((effect) => named.includes(effect)),
  );
}

export function effectsPolicy(description: string) {
  return map(description, {
    allowed: effectList('Risky effects that need no approval.', ['filesystem']).orElse([]),
    denied: effectList(
      'Forbidden effects: no step may call a capability with one of them, and no planner sees such a capability.',
      ['delete'],
    ).orElse([]),
    approval: effectList('Effects that need the approval of a person for each call that a planner or an agent chose.', [
      'network',
    ]).orElse([]),
  });
}
