// The orders that a run accepts in its present state: the usual ones as buttons, the others in a menu.
import { RUN_ACCOUNT } from '../../../engine/state/state.ts';
import { Menu } from '../parts/menu.tsx';
import { giveOrder, openOrder } from '../state/order-state.ts';
import { SendStatus, useSending } from './send-order.tsx';

type RunOrderName = 'pause' | 'resume' | 'raise-budget' | 'cancel';

const offered: Readonly<Record<string, readonly RunOrderName[]>> = {
  running: ['pause', 'cancel', 'raise-budget'],
  waiting: ['cancel', 'raise-budget'],
  paused: ['resume', 'cancel', 'raise-budget'],
  interrupted: ['resume', 'cancel', 'raise-budget'],
};

const words: Readonly<Record<RunOrderName, string>> = {
  pause: 'Pause',
  resume: 'Resume',
  'raise-budget': 'Raise the budget …',
  cancel: 'Cancel …',
};

interface Props {
  readonly run: string;
  readonly status: string;
  /** The buttons of a gate stand beside the orders, so that all orders go to the menu. */
  readonly isAsked: boolean;
}

export function RunOrders({ run, status, isAsked }: Props) {
  const { refused, state, send } = useSending();
  const orders = offered[status] ?? [];
  const shown = isAsked ? 0 : 2;
  const order = async (named: RunOrderName): Promise<void> => {
    if (named === 'cancel') openOrder.value = { run, order: named };
    else if (named === 'raise-budget') openOrder.value = { run, order: named, account: RUN_ACCOUNT };
    else await send((key) => giveOrder(run, { order: named }, { key, why: '' }));
  };
  const button = (named: RunOrderName) => (
    <button
      key={named}
      type="button"
      class={named === 'resume' ? 'primary' : undefined}
      data-order={named}
      disabled={state.value === 'sending'}
      onClick={() => order(named)}
    >
      {words[named]}
    </button>
  );
  return (
    <div class="orders">
      {orders.slice(0, shown).map(button)}
      {orders.length > shown && (
        <Menu label="More orders" sign="⋯">
          {orders.slice(shown).map(button)}
        </Menu>
      )}
      <SendStatus refused={refused} state={state} />
    </div>
  );
}
