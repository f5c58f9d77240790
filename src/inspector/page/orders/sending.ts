// Gives an order once, however often it is sent, and keeps what became of it.
import { type Signal, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Issue } from '../../../base/issue.ts';
import type { PostReply } from '../../wire.schema.ts';

export interface Sending {
  readonly refused: Signal<readonly Issue[]>;
  /** `pending`: whoever drives the run is busy, and will follow the order. */
  readonly state: Signal<'asked' | 'sending' | 'pending'>;
  /** Answers whether it was followed, or will be. `order` is given the key under which it is done once. */
  send(order: (key: string) => Promise<PostReply>): Promise<PostReply>;
}

export function useSending(): Sending {
  const refused = useSignal<readonly Issue[]>([]);
  const state = useSignal<'asked' | 'sending' | 'pending'>('asked');
  const key = useRef<string | undefined>(undefined);
  return {
    refused,
    state,
    async send(order) {
      state.value = 'sending';
      key.current ??= crypto.randomUUID();
      const answered = await order(key.current);
      refused.value = answered.ok ? [] : answered.issues;
      state.value = answered.ok && answered.pending ? 'pending' : 'asked';
      // Nobody knows what became of an order that was not answered.
      const isUnheard = !answered.ok && answered.issues.some(({ code }) => code === 'INSPECTOR_AWAY');
      if (!isUnheard) key.current = undefined;
      return answered;
    },
  };
}
