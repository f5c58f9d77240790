// A link to a step with the glyph of its status at the selected moment.
import { shownStatusOf } from '../../../view/phases/shown-status.ts';
import { statusGlyphs, statusWords } from '../../../view/phases/status-glyphs.ts';
import type { Moment } from '../state/run.ts';
import { StepLink } from './step-link.tsx';

export function StepName({ moment, id }: { readonly moment: Moment; readonly id: string }) {
  const step = moment.state.steps.get(id);
  const status = step === undefined ? undefined : shownStatusOf(moment.state, step);
  return (
    <span class="step-name">
      {status !== undefined && (
        <>
          <span class={`glyph-${status}`} aria-hidden="true">
            {statusGlyphs[status]}
          </span>{' '}
        </>
      )}
      <StepLink id={id} />
      {status !== undefined && <span class="unseen">, {statusWords[status]}</span>}
    </span>
  );
}
