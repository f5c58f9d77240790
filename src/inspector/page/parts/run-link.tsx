// A link to a run.
import { go } from '../state/place.ts';

/** With `step` the link leads to that step of the run and shows the step's name. */
export function RunLink({ run, step }: { readonly run: string; readonly step?: string }) {
  return (
    <button type="button" class="link" onClick={() => go({ run, step })}>
      {step === undefined ? `run ${run}` : `${step} of run ${run}`}
    </button>
  );
}
