// Effects as a template names them: a list, or a policy that allows, denies or asks for approval.
import type { Json } from '../../base/json.ts';
import { type Effect, effects } from '../../contract/declaration.ts';
import { choices, map } from './kinds.ts';

/** Read in the order in which `effects` lists them. */
export function effectList(description: string, example: Json) {
  return choices(description, effects, example).to((named): readonly Effect[] =>
    effects.filter((effect) => named.includes(effect)),
  );
}

export function effectsPolicy(description: string) {
  return map(description, {
    allowed: effectList('Need nobody to agree, though they are risky.', ['filesystem']).orElse([]),
    denied: effectList('Never happen: no step calls a capability that has one, and no planner sees it.', [
      'delete',
    ]).orElse([]),
    approval: effectList('Need somebody to agree to each call that a planner or an agent thought of.', [
      'network',
    ]).orElse([]),
  });
}
