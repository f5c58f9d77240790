// The declaration of a capability for planners and checks: contracts, effects and price, but no implementation.
import type { JsonObject } from '../base/json.ts';
import type { Duration } from '../base/quantity.ts';

/** Safe effects: read network compute output pure llm. Risky effects: filesystem system write delete. */
export const effects = [
  'read',
  'network',
  'compute',
  'output',
  'pure',
  'llm',
  'filesystem',
  'system',
  'write',
  'delete',
] as const;

export type Effect = (typeof effects)[number];

export const riskyEffects: ReadonlySet<Effect> = new Set(['filesystem', 'system', 'write', 'delete']);

/** States whether a call may be repeated when its outcome is unknown. */
export const repeats = ['safe', 'keyed', 'never'] as const;

export type Repeat = (typeof repeats)[number];

export interface Declaration {
  /** `csv.sniff`: lower-case words joined by dots. */
  readonly name: string;
  /** One line, for planners and people. */
  readonly description: string;
  /** JSON Schema of the input; absent: any value. */
  readonly input?: JsonObject;
  /** JSON Schema of the result; absent: any value. */
  readonly output?: JsonObject;
  readonly effects: readonly Effect[];
  readonly tags: readonly string[];
  /** Capabilities that belong together with this one: an agent that may call this one may call them too. */
  readonly needs?: readonly string[];
  /** Estimated cost of a call. */
  readonly cost: { readonly ms?: Duration; readonly micro_dollars?: number };
  /**
   * `safe`: a repeated call with the same input does no further harm. `keyed`: a repeated call with the same idempotency key
   * does nothing. `never`: called at most once. Absent: see `isOnce`.
   */
  readonly repeat?: Repeat;
  /**
   * Decides whether a person approves each call by a planner or an agent; absent: as the effects demand.
   * `each`: may destroy data, so a person approves every single call, including those of the template's author.
   */
  readonly approval?: 'always' | 'each' | 'never';
  /** The capability may ask a person instead of returning a result; then it is called again with the answer. */
  readonly asks?: true;
  /** The Lisp expression over `data/input` of a capability that a planner wrote for one run. */
  readonly lisp?: string;
  /** For a template as a capability: its digest, and the least that one of its runs takes. */
  readonly runs?: { readonly template: string; readonly steps: number; readonly phases: number };
  /**
   * The server of the tool, the tool's own name, and the server's address when the template does not name the server.
   * `key`: the argument for an idempotency key, filled in at the call.
   */
  readonly origin?: {
    readonly server: string;
    readonly tool: string;
    readonly url?: string;
    readonly key?: string;
    /** The server states that the tool does not only read. */
    readonly writes?: true;
  };
}

/** True when a call changes something outside the run, so that it must not happen twice. */
export function isMutating(declaration: Pick<Declaration, 'effects'>): boolean {
  return declaration.effects.some((effect) => riskyEffects.has(effect));
}

/**
 * True when a call is made at most once. Only the author of a template (`isAuthored`) may repeat a mutating capability
 * that does not declare `repeat`.
 */
export function isOnce(
  { effects: own, repeat }: Pick<Declaration, 'effects' | 'repeat'>,
  isAuthored: boolean,
): boolean {
  if (repeat !== undefined) return repeat === 'never';
  return !isAuthored && isMutating({ effects: own });
}

const readingEffects: ReadonlySet<Effect> = new Set(['read', 'network', 'compute', 'pure', 'llm']);

/** True when a call changes nothing anywhere, so that several calls may run at the same time in any order. */
export function onlyReads({
  effects: own,
  repeat,
  runs,
  origin,
}: Pick<Declaration, 'effects' | 'repeat' | 'runs' | 'origin'>): boolean {
  if (repeat === 'never' || runs !== undefined || origin?.writes === true) return false;
  return own.length > 0 && own.every((effect) => readingEffects.has(effect));
}

/** True when the result depends on the input alone: safe to call where no effects are allowed. */
export function onlyComputes({ effects: own, tags }: Pick<Declaration, 'effects' | 'tags'>): boolean {
  return own.length > 0 && own.every((effect) => effect === 'pure' || effect === 'compute') && !tags.includes('time');
}
