// The search text, and the steps that contain all of its words.
import { computed, signal } from '@preact/signals';
import { wasCutOff } from '../../../engine/state/step-tally.ts';
import { standingText } from '../../../view/status.ts';
import { go, place } from './place.ts';
import { shown } from './run.ts';

export const searched = signal('');

interface SearchHits {
  /** In the order of the run. */
  readonly steps: readonly string[];
}

/** Undefined while the search is empty. */
export const found = computed<SearchHits | undefined>(() => {
  const words = searched.value
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const moment = shown.value;
  if (words.length === 0 || moment === undefined) return undefined;
  const { state } = moment;
  const steps = [...state.steps.values()]
    .filter((step) => {
      const { id, spec } = step;
      const text = [
        id,
        spec.type,
        spec.capability,
        spec.agent?.name,
        spec.description,
        standingText(state, step),
        step.failure?.code,
        step.failure?.message,
      ]
        .join(' ')
        .toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .map(({ id }) => id);
  return { steps };
});

/** Selects the match after the selected step; after the last match comes the first. */
export function goToNextFound(): void {
  goToNext(found.value?.steps ?? [], 1);
}

/** Walks along the found steps during a search, and otherwise along the failed steps. */
export function goToNextMarked(by: 1 | -1): void {
  goToNext(found.value?.steps ?? failedSteps(), by);
}

function failedSteps(): readonly string[] {
  const { state } = shown.value ?? {};
  return [...(state?.steps.values() ?? [])]
    .filter((step) => step.status === 'failed' || wasCutOff(step))
    .map(({ id }) => id);
}

function goToNext(steps: readonly string[], by: 1 | -1): void {
  const here = steps.indexOf(place.value.step ?? '');
  const next = steps[here + by] ?? (by === 1 ? steps[0] : steps.at(-1));
  if (next !== undefined) go({ step: next, gate: undefined });
}
