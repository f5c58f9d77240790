// The orders that a run accepts in its present state; orders that need more input open a dialog.
import { RUN_ACCOUNT } from '../../../engine/state/state.ts';
import { Issues } from '../parts/issues.tsx';
import { give, type Ordering, ordering } from '../state/ordering.ts';
import { useSending } from './sending.ts';

type Named = 'pause' | 'resume' | 'raise-budget' | 'cancel';

const offered: Readonly<Record<string, readonly Named[]>> = {
  running: ['pause', 'raise-budget', 'cancel'],
  waiting: ['raise-budget', 'cancel'],
  paused: ['resume', 'raise-budget', 'cancel'],
  interrupted: ['resume', 'raise-budget', 'cancel'],
};

const words: Readonly<Record<Named, string>> = {
  pause: 'pause',
  resume: 'resume',
  'raise-budget': 'raise the budget …',
  cancel: 'cancel …',
};

export function RunOrders({ run, status }: { readonly run: string; readonly status: string }) {
  const { refused, state, send } = useSending();
  const order = async (named: Named): Promise<void> => {
    if (named === 'cancel') ask({ run, order: named });
    else if (named === 'raise-budget') ask({ run, order: named, account: RUN_ACCOUNT });
    else await send((key) => give(run, { order: named }, { key, why: '' }));
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
      {refused.value.length > 0 && (
        <div role="alert">
          <Issues issues={refused.value} />
        </div>
      )}
    </div>
  );
}

function ask(asked: Ordering): void {
  ordering.value = asked;
}
