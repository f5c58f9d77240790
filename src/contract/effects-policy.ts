// Effects policies of a run, an agent or a step: a call is allowed, needs approval, or is denied.
import { type Declaration, type Effect, effects, riskyEffects } from './declaration.ts';

/** Overrides the classes safe and risky. `denied` wins over `approval`, and `approval` over `allowed`. */
export interface EffectsPolicy {
  /** Risky effects that need no approval. */
  readonly allowed: readonly Effect[];
  readonly denied: readonly Effect[];
  /** Safe effects that need approval. */
  readonly approval: readonly Effect[];
}

/** The intersection of two policies: the stricter one decides about each effect. */
export function joined(one: EffectsPolicy | undefined, other: EffectsPolicy | undefined): EffectsPolicy | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return {
    allowed: [...new Set([...one.allowed, ...other.allowed])],
    denied: [...new Set([...one.denied, ...other.denied])],
    approval: [...new Set([...one.approval, ...other.approval])],
  };
}

/** A policy that denies all effects but these; absent: no policy. */
export function onlyWith(only: readonly Effect[] | undefined): EffectsPolicy | undefined {
  if (only === undefined) return undefined;
  return { allowed: [], denied: effects.filter((effect) => !only.includes(effect)), approval: [] };
}

/** The author of a call: the template's author, a planner, or an agent. */
export type CallOrigin = 'authored' | 'grafted' | 'agent';

export type Approval =
  | { readonly verdict: 'free' }
  /** `effects`: those that need approval. `each`: one approval covers one call only. */
  | { readonly verdict: 'ask'; readonly effects: readonly Effect[]; readonly each: boolean }
  | { readonly verdict: 'denied'; readonly effects: readonly Effect[] };

const FREE: Approval = Object.freeze({ verdict: 'free' });

/**
 * Calls in a template count as approved by its author, except when the template cannot show what will be deleted (`each`).
 * A denied effect is denied for everyone.
 */
export function approvalFor(
  { effects, approval }: Pick<Declaration, 'effects' | 'approval'>,
  policy: EffectsPolicy | undefined,
  origin: CallOrigin,
): Approval {
  const denied = effects.filter((effect) => policy?.denied.includes(effect));
  if (denied.length > 0) return { verdict: 'denied', effects: denied };
  if (approval === 'never' || (origin === 'authored' && approval !== 'each')) return FREE;
  if (approval === 'always') return { verdict: 'ask', effects, each: false };
  const asked = effects.filter(
    (effect) => (origin !== 'authored' || effect === 'delete') && isAskedAbout(effect, policy),
  );
  const each = approval === 'each' && asked.includes('delete');
  return asked.length === 0 ? FREE : { verdict: 'ask', effects: asked, each };
}

function isAskedAbout(effect: Effect, policy: EffectsPolicy | undefined): boolean {
  if (policy?.approval.includes(effect)) return true;
  return riskyEffects.has(effect) && !policy?.allowed.includes(effect);
}
