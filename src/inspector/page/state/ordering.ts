// What is about to be ordered: the order whose dialog is open, and in whose name orders are given.
import { signal } from '@preact/signals';
import type { ForkWish, PostReply, RunWish, Signed } from '../../wire.schema.ts';
import { post } from './server.ts';

/** An order that is confirmed before it is given, since it destroys something, or needs to be told more. */
export type Ordering = { readonly run: string } & (
  | { readonly order: 'cancel' }
  | { readonly order: 'raise-budget'; readonly account: string }
  | { readonly order: 'retry-step' | 'resolve-step'; readonly step: string }
  /** At the last event that both runs have. */
  | { readonly order: 'fork'; readonly at: number }
);

export const ordering = signal<Ordering | undefined>(undefined);

const KEY = 'reconverge name';

function readName(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

/** Who looks at the page, where they have said it. */
export const name = signal(readName());

export function callOneself(said: string): void {
  name.value = said;
  try {
    localStorage.setItem(KEY, said);
  } catch {
    // Where nothing is kept it holds until the page is closed.
  }
}

type Unsigned<T> = T extends unknown ? Omit<T, keyof Signed> : never;

export type Wish = Unsigned<RunWish>;
export type Fork = Unsigned<ForkWish>;

/** `key` stays the same until an answer has come: whatever is sent again is done once. */
export function give(
  run: string,
  wish: Wish | Fork,
  signature: { readonly key: string; readonly why: string },
): Promise<PostReply> {
  const signed = { ...wish, ...signature, by: name.peek() };
  return post(`api/runs/${run}/${'order' in wish ? 'orders' : 'forks'}`, signed);
}
