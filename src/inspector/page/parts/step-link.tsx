// A link to a step.
import { localName } from '../../../view/status.ts';
import { go } from '../state/place.ts';

export function StepLink({ id }: { readonly id: string }) {
  return (
    <button type="button" class="link" title={id} onClick={() => go({ step: id, gate: undefined })}>
      {nameOf(id)}
    </button>
  );
}

/** The items of a fan-out have numbers as local names. */
export function nameOf(id: string): string {
  const name = localName(id);
  return /^\d+$/.test(name) ? id : name;
}
