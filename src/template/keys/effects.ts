// The effects policy of a template or an agent, and the effects that a step may have, from their words.
import type { JsonObject } from '../../base/json.ts';
import { type Effect, effects } from '../../contract/declaration.ts';
import type { EffectsPolicy } from '../../contract/effects-policy.ts';
import { wordsAt } from './readers.ts';

export function readEffects(raw: JsonObject | undefined): EffectsPolicy | undefined {
  if (raw === undefined) return undefined;
  return { allowed: effectsAt(raw, 'allowed'), denied: effectsAt(raw, 'denied'), approval: effectsAt(raw, 'approval') };
}

export function effectsAt(raw: JsonObject, key: string): readonly Effect[] {
  const words = wordsAt(raw, key);
  return effects.filter((effect) => words.includes(effect));
}
