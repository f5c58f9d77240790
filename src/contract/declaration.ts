// What a capability says of itself to planners and to checks: its contracts, effects and price, but not how it runs.
import type { JsonObject } from '../base/json.ts';
import type { Duration } from '../base/quantity.ts';

/** Safe: read network compute output pure llm. Risky: filesystem system write delete. */
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

/** Whether a call may be made again when nobody knows what became of it. */
export const repeats = ['safe', 'keyed', 'never'] as const;

export type Repeat = (typeof repeats)[number];

export interface Declaration {
  /** `csv.sniff`: lower-case words joined by dots. */
  readonly name: string;
  /** One line, for planners and people. */
  readonly description: string;
  /** JSON Schema of the input; absent: anything. */
  readonly input?: JsonObject;
  /** JSON Schema of the result; absent: anything. */
  readonly output?: JsonObject;
  readonly effects: readonly Effect[];
  readonly tags: readonly string[];
  /** Capabilities that are used together with it: an agent that is handed it is handed these too. */
  readonly needs?: readonly string[];
  /** Price hints per call. */
  readonly cost: { readonly ms?: Duration; readonly micro_dollars?: number };
  /**
   * `safe`: calling it twice with the same input does no harm beyond the first; `keyed`: it does nothing twice under one
   * idempotency key; `never`: it is called at most once. Absent: see `isOnce`.
   */
  readonly repeat?: Repeat;
  /**
   * Whether a person must agree to each call that a planner or an agent thought of, whatever its effects; absent: by its
   * effects. `each`: it may destroy something, so a person agrees to every single call, also to those of a template's author.
   */
  readonly approval?: 'always' | 'each' | 'never';
  /** It may ask a person instead of answering, and is then called again with the answer; one that does not say so may not. */
  readonly asks?: true;
  /** Of one that was thought of for a run: Lisp over `data/input`, which computes its result. */
  readonly lisp?: string;
  /** Of a template whose runs are what is called: its digest, and what a run of it takes at least. */
  readonly runs?: { readonly template: string; readonly steps: number; readonly phases: number };
  /**
   * The server that offers it, and what it is called there; where it is, when the template does not name it. `key`: the
   * argument in which the server takes an idempotency key; it is filled in when the tool is called.
   */
  readonly origin?: {
    readonly server: string;
    readonly tool: string;
    readonly url?: string;
    readonly key?: string;
    /** The server says in so many words that the tool does not only read. */
    readonly writes?: true;
  };
}

/** Whether a call changes something outside the run, so that it must not happen twice. */
export function isMutating(declaration: Pick<Declaration, 'effects'>): boolean {
  return declaration.effects.some((effect) => riskyEffects.has(effect));
}

/**
 * Whether a call is made at most once. A capability that changes something and does not say whether it can be repeated
 * is left to the author who calls it in a template (`isAuthored`); nobody else may repeat it.
 */
export function isOnce(
  { effects: own, repeat }: Pick<Declaration, 'effects' | 'repeat'>,
  isAuthored: boolean,
): boolean {
  if (repeat !== undefined) return repeat === 'never';
  return !isAuthored && isMutating({ effects: own });
}

/** Answers at once, from its input alone: it may be called where nothing may happen. */
export function onlyComputes({ effects: own, tags }: Pick<Declaration, 'effects' | 'tags'>): boolean {
  return own.length > 0 && own.every((effect) => effect === 'pure' || effect === 'compute') && !tags.includes('time');
}
