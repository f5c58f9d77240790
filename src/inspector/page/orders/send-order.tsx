// Sends an order with one key, so that retries carry it out only once, and shows the reply.
import { type Signal, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Issue } from '../../../base/issue.ts';
import type { PostReply } from '../../wire.schema.ts';
import { Issues } from '../parts/issues.tsx';

interface OrderSending {
  readonly refused: Signal<readonly Issue[]>;
  /** In state `pending` the process that drives the run is busy and will carry out the order later. */
  readonly state: Signal<'asked' | 'sending' | 'pending'>;
  /** Sends the order and answers the reply. `order` gets the key under which the order is carried out only once. */
  send(order: (key: string) => Promise<PostReply>): Promise<PostReply>;
}

export function useSending(): OrderSending {
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
      // An order without a reply may or may not have been carried out.
      const isUnheard = !answered.ok && answered.issues.some(({ code }) => code === 'INSPECTOR_AWAY');
      if (!isUnheard) key.current = undefined;
      return answered;
    },
  };
}

/** The issues of a refused order, or a note that the order has to wait. */
export function SendStatus({ refused, state }: Pick<OrderSending, 'refused' | 'state'>) {
  return (
    <>
      {refused.value.length > 0 && (
        <div role="alert">
          <Issues issues={refused.value} />
        </div>
      )}
      {state.value === 'pending' && (
        <p role="status">The process that drives the run is busy, and will carry out the order as soon as it can.</p>
      )}
    </>
  );
}
