// The orders that a run accepts in its present state; orders that need more input open a dialog.
import { RUN_ACCOUNT } from '../../../engine/state/state.ts';
import { giveOrder, openOrder } from '../state/order-state.ts';
import { SendStatus, useSending } from './send-order.tsx';

type RunOrderName = 'pause' | 'resume' | 'raise-budget' | 'cancel';

const offered: Readonly<Record<string, readonly RunOrderName[]>> = {
  running: ['pause', 'raise-budget', 'cancel'],
  waiting: ['raise-budget', 'cancel'],
  paused: ['resume', 'raise-budget', 'cancel'],
  interrupted: ['resume', 'raise-budget', 'cancel'],
};

const words: Readonly<Record<RunOrderName, string>> = {
  pause: 'pause',
  resume: 'resume',
  'raise-budget': 'raise the budget …',
  cancel: 'cancel …',
};

export function RunOrders({ run, status }: { readonly run: string; readonly status: string }) {
  const { refused, state, send } = useSending();
  const order = async (named: RunOrderName): Promise<void> => {
    if (named === 'cancel') openOrder.value = { run, order: named };
    else if (named === 'raise-budget') openOrder.value = { run, order: named, account: RUN_ACCOUNT };
    else await send((key) => giveOrder(run, { order: named }, { key, why: '' }));
  };
  return (
    <div class="orders">
      {(offered[status] ?? []).map((named) => (
        <button
          key={named}
          type="button"
          data-order={named}
          disabled={state.value === 'sending'}
          onClick={() => order(named)}
        >
          {words[named]}
        </button>
      ))}
      <SendStatus refused={refused} state={state} />
    </div>
  );
}
