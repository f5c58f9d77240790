// The texts that models write at this moment, as the server tells them.
import { signal } from '@preact/signals';
import type { StreamMessages } from '../../wire.schema.ts';

type Message = StreamMessages['live'];
export type PageText = Omit<Message[number], 'text'> & { readonly text: string };

export const liveTexts = signal<readonly PageText[]>([]);

/** A message lists all calls under way, and the texts that have changed. */
export function takeLive(message: Message): void {
  const before = new Map(liveTexts.peek().map((each) => [keyOf(each), each.text]));
  liveTexts.value = message.map(({ text, ...each }) => ({ ...each, text: text ?? before.get(keyOf(each)) ?? '' }));
}

export function keyOf({ step, attempt, call }: Pick<PageText, 'step' | 'attempt' | 'call'>): string {
  return `${step} ${attempt}.${call}`;
}
