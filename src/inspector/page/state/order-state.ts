// The open order dialog, and the name that signs orders.
import { signal } from '@preact/signals';
import type { ForkRequest, OrderRequest, PostReply, Signature } from '../../wire.schema.ts';
import { post } from './server.ts';

/** An order that needs a confirmation, because it destroys something, or more input. */
export type DialogOrder = { readonly run: string } & (
  | { readonly order: 'cancel' }
  | { readonly order: 'raise-budget'; readonly account: string }
  | { readonly order: 'retry-step' | 'resolve-step'; readonly step: string }
  /** The last event that both runs share. */
  | { readonly order: 'fork'; readonly at: number }
);

export const openOrder = signal<DialogOrder | undefined>(undefined);

const KEY = 'reconverge name';

function readName(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

/** The name of the person at the page, if they entered it. */
export const name = signal(readName());

export function rememberName(typed: string): void {
  name.value = typed;
  try {
    localStorage.setItem(KEY, typed);
  } catch {
    // Without local storage the name lasts until the page is closed.
  }
}

type Unsigned<T> = T extends unknown ? Omit<T, keyof Signature> : never;

export type PageRequest = Unsigned<OrderRequest> | Unsigned<ForkRequest>;

/** `key` stays the same until a reply arrives, so that a retried order is carried out only once. */
export function giveOrder(
  run: string,
  request: PageRequest,
  signature: { readonly key: string; readonly why: string },
): Promise<PostReply> {
  const signed = { ...request, ...signature, by: name.peek() };
  return post(`api/runs/${run}/${'order' in request ? 'orders' : 'forks'}`, signed);
}
