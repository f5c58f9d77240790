// The box at the top of a step's drawer: why it failed or did not run, what that kept from running, and what repairs it.
import { counted } from '../../../base/counted.ts';
import { repairOutcomeText } from '../../../view/repair-outcome.ts';
import type { Why } from '../../../view/why/why.ts';
import { StepLink } from '../parts/step-link.tsx';
import { StepName } from '../parts/step-name.tsx';
import type { Moment } from '../state/run.ts';
import { ShortList } from './short-list.tsx';

export function FailureBox({ moment, explanation }: { readonly moment: Moment; readonly explanation: Why }) {
  const { step: id, failure, takenUp, root, supersededBy } = explanation;
  const behind = [...moment.state.steps.values()].filter((each) => each.root === id && each.id !== id);
  const unrun = behind.filter(({ status }) => status === 'skipped').map((each) => each.id);
  if (failure !== undefined) {
    return (
      <section class="failure-box" aria-label="Failure">
        <p class="failure-message">{failure.message}</p>
        <p>
          <code>{failure.code}</code>
        </p>
        {unrun.length > 0 && (
          <details>
            <summary>{counted(unrun.length, 'step')} did not run because of it</summary>
            <ShortList items={unrun}>{(step) => <StepName moment={moment} id={step} />}</ShortList>
          </details>
        )}
        {takenUp !== undefined && (
          <p>
            ⟲ {takenUp.outcome === 'repaired' ? 'Repaired by' : 'Taken up by'} <StepLink id={takenUp.by} />
            {takenUp.outcome !== 'repaired' && <span class="dim"> ({repairOutcomeText(takenUp)})</span>}
          </p>
        )}
      </section>
    );
  }
  if (root !== undefined) {
    return (
      <section class="failure-box quiet-box" aria-label="Reason">
        <p>
          – Not run because of <StepLink id={root.step} />
        </p>
        <p class="dim">{root.failure === undefined ? root.status : `${root.failure.code}: ${root.failure.message}`}</p>
      </section>
    );
  }
  if (supersededBy === undefined) return null;
  return (
    <section class="failure-box quiet-box" aria-label="Reason">
      <p>
        ⟲ Replaced: <StepLink id={supersededBy} /> plans it again
      </p>
    </section>
  );
}
