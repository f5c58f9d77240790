// The dialog of an order: its effect, its fields, the signature and reason, and the issues of a refused order.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { PostReply } from '../../wire.schema.ts';
import { Field, Text } from '../parts/field.tsx';
import { giveOrder, name, openOrder, type PageRequest, rememberName } from '../state/order-state.ts';
import { SendStatus, useSending } from './send-order.tsx';

interface Props {
  readonly run: string;
  readonly title: string;
  /** Describes the effect of the order. */
  readonly says: ComponentChildren;
  /** The label of the button that sends the order. */
  readonly does: string;
  /** The order cannot be undone. */
  readonly isFinal?: boolean;
  readonly request: () => PageRequest;
  readonly onDone?: (answered: PostReply & { readonly ok: true }) => void;
  readonly children?: ComponentChildren;
}

export function OrderDialog({ run, title, says, does, isFinal = false, request, onDone, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const why = useSignal('');
  const { refused, state, send } = useSending();
  const titled = useId();
  useEffect(() => dialog.current?.showModal(), []);

  // Closing the dialog natively returns the focus to the element that opened it.
  const close = (): void => dialog.current?.close();
  const submit = async (): Promise<void> => {
    const answered = await send((key) => giveOrder(run, request(), { key, why: why.value }));
    if (!answered.ok || answered.pending) return;
    close();
    onDone?.(answered);
  };
  return (
    <dialog ref={dialog} class="order" aria-labelledby={titled} onClose={forget}>
      <form
        class="order-form"
        onSubmit={(event) => {
          event.preventDefault();
          return submit();
        }}
      >
        <h2 id={titled}>{title}</h2>
        <p>{says}</p>
        {children}
        <Text
          label="Reason (optional; kept with the run)"
          value={why.value}
          onInput={(said) => {
            why.value = said;
          }}
        />
        <Field
          label="Your name (optional; by default the user who serves this page)"
          value={name.value}
          onInput={rememberName}
        />
        <SendStatus refused={refused} state={state} />
        <div class="verdicts">
          {state.value !== 'pending' && (
            <button type="submit" class={isFinal ? 'danger' : 'primary'} disabled={state.value === 'sending'}>
              {does}
            </button>
          )}
          <button type="button" onClick={close}>
            {state.value === 'pending' ? 'Close' : 'Do not do it'}
          </button>
        </div>
      </form>
    </dialog>
  );
}

function forget(): void {
  openOrder.value = undefined;
}
