// The actions of a run's head: the open gate first, then the orders that the run accepts, or the way back to the present.
import { gateVerb } from '../../../view/head/gate-verb.ts';
import { type OpenGate, openGatesOf } from '../../../view/open-gates.ts';
import { RunOrders } from '../orders/run-orders.tsx';
import { RunLink } from '../parts/run-link.tsx';
import { focusNotes } from '../state/gates.ts';
import type { ShownHead } from '../state/head.ts';
import { go, place, whereAsked } from '../state/place.ts';
import { showAt } from '../state/playback.ts';
import { isReadOnly } from '../state/run.ts';

export function HeadActions({ head: { moment, summary } }: { readonly head: ShownHead }) {
  const [gate] = openGatesOf(moment.state);
  if (!moment.isLatest) {
    return (
      <div class="head-actions">
        <span class="dim">looking back</span>
        <button type="button" title="." onClick={() => showAt(undefined)}>
          Back to now
        </button>
      </div>
    );
  }
  return (
    <div class="head-actions">
      {gate !== undefined && place.value.gate !== gate.gate && (
        <GateActions gate={gate} child={moment.state.gates.get(gate.gate)?.child?.run} />
      )}
      {!isReadOnly.value && (
        <RunOrders key={moment.run} run={moment.run} status={summary.status} isAsked={gate !== undefined} />
      )}
    </div>
  );
}

/** Nothing is answered here: both buttons open the gate, one of them at the notes. */
function GateActions({ gate, child }: { readonly gate: OpenGate; readonly child: string | undefined }) {
  const open = (rejects: boolean) => (): void => {
    focusNotes.value = rejects;
    go({ ...whereAsked(gate.gate, gate.run), step: undefined });
  };
  if (child !== undefined && gate.run === undefined) return <RunLink run={child} />;
  if (isReadOnly.value) {
    return (
      <button type="button" data-gate={gate.gate} onClick={open(false)}>
        Read the question
      </button>
    );
  }
  return (
    <>
      <button type="button" onClick={open(true)}>
        Reject …
      </button>
      <button type="button" class="primary" data-gate={gate.gate} onClick={open(false)}>
        {`Read and ${gateVerb(gate)}`}
      </button>
    </>
  );
}
