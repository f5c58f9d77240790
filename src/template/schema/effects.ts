// The schema of effects: a policy over them, and a list of them.
import type { Json, JsonObject } from '../../base/json.ts';
import { effects } from '../../contract/declaration.ts';
import { map, words } from './build.ts';

export const effectList = (description: string, example: Json): JsonObject => ({
  ...words(description, example),
  items: { type: 'string', enum: effects },
  pattern: `^(${effects.join('|')})$`,
  'x-expects': `one or several of ${effects.join(', ')}`,
});

export const effectsPolicy = (description: string): JsonObject =>
  map(description, {
    allowed: effectList('Need nobody to agree, though they are risky.', ['filesystem']),
    denied: effectList('Never happen: no step calls a capability that has one, and no planner sees it.', ['delete']),
    approval: effectList('Need somebody to agree to each call that a planner or an agent thought of.', ['network']),
  });
