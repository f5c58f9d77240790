// A run by its id, which leads to it.
import { go } from '../state/place.ts';

/** `step`: of that run, which is shown. */
export function RunLink({ run, step }: { readonly run: string; readonly step?: string }) {
  return (
    <button type="button" class="link" onClick={() => go({ run, step })}>
      {step === undefined ? `run ${run}` : `${step} of run ${run}`}
    </button>
  );
}
