// The orders for a step that has not ended: retry the step, or give it a result by hand.
import { isTerminal, type Step } from '../../../engine/state/state.ts';
import { openOrder } from '../state/order-state.ts';
import { isReadOnly, type Moment } from '../state/run.ts';

export function StepOrders({ moment, step }: { readonly moment: Moment; readonly step: Step }) {
  const { run, state, isLatest } = moment;
  if (isReadOnly.value || !isLatest || state.status === 'ended' || isTerminal(step)) return null;
  const { id, status, spec } = step;
  const hasBegun = status !== 'waiting' && status !== 'ready';
  return (
    <div class="orders">
      {hasBegun && (
        <button
          type="button"
          onClick={() => {
            openOrder.value = { run, order: 'retry-step', step: id };
          }}
        >
          begin again …
        </button>
      )}
      {spec.type !== 'planning' && (
        <button
          type="button"
          onClick={() => {
            openOrder.value = { run, order: 'resolve-step', step: id };
          }}
        >
          give its result …
        </button>
      )}
    </div>
  );
}
