// A step by its name, which leads to it.
import { localName } from '../../../view/status.ts';
import { go } from '../state/place.ts';

export function StepLink({ id }: { readonly id: string }) {
  return (
    <button type="button" class="link" title={id} onClick={() => go({ step: id, gate: undefined })}>
      {nameOf(id)}
    </button>
  );
}

/** Items of a fan-out have numbers for names. */
function nameOf(id: string): string {
  const name = localName(id);
  return /^\d+$/.test(name) ? id : name;
}
