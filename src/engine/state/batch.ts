// A batch: the events, blobs and effects of one command. Each event is folded at once, so that later decisions see it.
import type { Json } from '../../base/json.ts';
import type { Instant } from '../../base/quantity.ts';
import type { Amount } from '../../budget/amount.ts';
import type { CountTokens } from '../../context/tokens.ts';
import type { CommandTerms } from '../record/command.ts';
import type { Effect } from '../record/effect.ts';
import type { Event, Recorded } from '../record/event.schema.ts';
import type { Order, StoredValue } from '../record/event-parts.schema.ts';
import { type Blob, type LoadedValues, storeValue } from '../record/stored-value.ts';
import { evolve } from './evolve.ts';
import type { RunState, Step } from './state.ts';

export interface Batch {
  readonly state: RunState;
  readonly at: Instant;
  readonly values: LoadedValues;
  readonly countTokens: CountTokens;
  /** A clock of its own for expressions that must not run too long; replay and tests have none. */
  readonly stopwatch: (() => number) | undefined;
  /** The driver stops: no call begins. */
  readonly isStopping: boolean;
  readonly events: Recorded[];
  readonly blobs: Blob[];
  readonly effects: Effect[];
}

export function newBatch(
  state: RunState,
  { at, isStopping = false }: CommandTerms,
  values: LoadedValues,
  countTokens: CountTokens,
  stopwatch?: () => number,
): Batch {
  const made = { events: [], blobs: [], effects: [] };
  return { state, at: Math.max(at, state.at), values, countTokens, stopwatch, isStopping, ...made };
}

/** `cause` is the version of the event that led to this one; 0 for an order from outside. */
export function emit(batch: Batch, cause: number, event: Event): void {
  const recorded = { version: batch.state.version + 1, at: batch.at, cause, event };
  batch.events.push(recorded);
  evolve(batch.state, recorded);
}

/** Stores a value: a small one in the event, a large one as a blob. */
export function store(batch: Batch, value: Json, text?: string): StoredValue {
  const { kept, blob } = storeValue(value, text);
  if (blob !== undefined) batch.blobs.push(blob);
  return kept;
}

/** The `bill` of an event; absent when nothing was used. */
export function paid(bill: Amount): { readonly bill?: Amount } {
  return Object.keys(bill).length === 0 ? {} : { bill };
}

/** The charge for an outcome. Without a bill, the whole reservation of the step or of its call counts as used. */
export function chargeOf({ reserved = {} }: Pick<Step, 'reserved'>, bill: Amount | undefined): Amount {
  return bill ?? reserved;
}

/** The author and the reason of an order, as events carry them. */
export function authorOf({ by, why }: Order): Order {
  return why === undefined ? { by } : { by, why };
}
