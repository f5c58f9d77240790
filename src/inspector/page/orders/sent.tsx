// The reply to an order: its issues, or a note that the order has to wait.
import { Issues } from '../parts/issues.tsx';
import type { Sending } from './sending.ts';

export function Sent({ refused, state }: Pick<Sending, 'refused' | 'state'>) {
  return (
    <>
      {refused.value.length > 0 && (
        <div role="alert">
          <Issues issues={refused.value} />
        </div>
      )}
      {state.value === 'pending' && (
        <p role="status">Whoever drives the run is busy, and will follow as soon as it can.</p>
      )}
    </>
  );
}
