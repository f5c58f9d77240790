// Effects policies, of a run, an agent or a step: whether a call may be made, must be agreed to by a person first, or not at all.
import { type Declaration, type Effect, effects, riskyEffects } from './declaration.ts';

/** Beats the static classes of effects: what is denied is never done, and what stands in both others is asked about. */
export interface EffectsPolicy {
  /** Needs no approval, though it is risky. */
  readonly allowed: readonly Effect[];
  readonly denied: readonly Effect[];
  /** Needs approval, though it is safe. */
  readonly approval: readonly Effect[];
}

/** Both hold: neither allows what the other asks about or denies. */
export function joined(one: EffectsPolicy | undefined, other: EffectsPolicy | undefined): EffectsPolicy | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return {
    allowed: [...new Set([...one.allowed, ...other.allowed])],
    denied: [...new Set([...one.denied, ...other.denied])],
    approval: [...new Set([...one.approval, ...other.approval])],
  };
}

/** For what may have no other effects than these; absent: any. */
export function onlyWith(only: readonly Effect[] | undefined): EffectsPolicy | undefined {
  if (only === undefined) return undefined;
  return { allowed: [], denied: effects.filter((effect) => !only.includes(effect)), approval: [] };
}

/** Who thought of a call: the template's author, a planner, or an agent. */
export type CallOrigin = 'authored' | 'grafted' | 'agent';

export type Approval =
  | { readonly verdict: 'free' }
  /** `effects`: those of the capability for which it is so. `each`: an agreement covers one call. */
  | { readonly verdict: 'ask'; readonly effects: readonly Effect[]; readonly each: boolean }
  | { readonly verdict: 'denied'; readonly effects: readonly Effect[] };

const FREE: Approval = Object.freeze({ verdict: 'free' });

/**
 * The author of a template approves of what its steps call, save where only `delete` is known and not what is deleted
 * (`each`). Denied is denied, whoever calls.
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
