// The failures of a run as links; a link of a group leads from one of its steps to the next.

import type { FailureGroup } from '../../../view/head/failure-groups.ts';
import { go, place } from '../state/place.ts';

/** The most groups; the list of steps has all failures. */
const MOST = 4;

export function FailureLinks({ failures }: { readonly failures: readonly FailureGroup[] }) {
  const more = failures.slice(MOST).reduce((sum, { steps }) => sum + steps.length, 0);
  return (
    <ul class="failures" aria-label="Failures">
      <li class="text-bad" aria-hidden="true">
        ✗ What failed
      </li>
      {failures.slice(0, MOST).map((group) => (
        <li key={group.steps[0]} class={group.repaired ? 'repaired' : undefined} title={`${group.link}: ${group.note}`}>
          <button type="button" class="link" data-failure={group.steps[0]} onClick={() => goToNext(group.steps)}>
            {group.link}
          </button>{' '}
          <span class="dim">{group.note}</span>
        </li>
      ))}
      {more > 0 && (
        <li class="more">
          <button type="button" class="link" onClick={() => go({ view: 'steps', only: 'failed' })}>
            {more} more
          </button>
        </li>
      )}
    </ul>
  );
}

function goToNext(steps: readonly string[]): void {
  const next = steps[steps.indexOf(place.value.step ?? '') + 1] ?? steps[0];
  if (next !== undefined) go({ step: next, gate: undefined });
}
