// The result of a step, and the proposal of a planning step.
import type { Step } from '../../../engine/state/state.ts';
import type { Why } from '../../../view/why/why.ts';
import { KeptValue } from '../parts/value.tsx';

export function ResultTab({ step, told }: { readonly step: Step; readonly told: Why }) {
  const { result, proposal, rejected } = step;
  return (
    <>
      {result === undefined ? <p class="dim">It has no result: it is {told.status}.</p> : <KeptValue kept={result} />}
      {proposal !== undefined && (
        <>
          <h3>its planner's last proposal</h3>
          <KeptValue kept={proposal} />
        </>
      )}
      {rejected !== undefined && (
        <>
          <h3>a result that did not pass its verification</h3>
          <KeptValue kept={rejected} />
        </>
      )}
    </>
  );
}
