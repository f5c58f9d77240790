// The open gates of the run, and the way from an answered gate to the next one, also in child runs and in the parent run.
import { computed, effect, signal } from '@preact/signals';
import { type OpenGate, openGatesOf } from '../../../view/open-gates.ts';
import { go, place, whereAsked } from './place.ts';
import { latest, runs } from './run.ts';

/** The gate was opened to reject it, so its notes take the focus. */
export const focusNotes = signal(false);

export const openGates = computed<readonly OpenGate[]>(() =>
  latest.value === undefined ? [] : openGatesOf(latest.value.state),
);

/** The child run whose last gate was answered, while its parent run is being loaded. */
const leftChild = signal<string | undefined>(undefined);

/** Opens the next gate after an answer; without one, the answered gate stays and shows its decision. */
export function goToNextGate(answered: string): void {
  const others = openGates.peek().filter(({ gate }) => gate !== answered);
  const [next] = others;
  if (next !== undefined) return go({ ...whereAsked(next.gate, next.run), step: undefined });
  const { parent, id } = latest.peek()?.state ?? {};
  const waiting = runs.peek()?.find((run) => run.id === parent?.run)?.gates ?? 0;
  // One of the parent's gates stands for this run.
  if (parent === undefined || waiting < 2) return;
  leftChild.value = id;
  go({ run: parent.run });
}

export function keepNextGate(): void {
  effect(() => {
    const child = leftChild.value;
    const moment = latest.value;
    if (child === undefined || moment === undefined || moment.run !== place.peek().run) return;
    leftChild.value = undefined;
    const next = openGates
      .peek()
      .find((gate) => gate.run !== child && moment.state.gates.get(gate.gate)?.child?.run !== child);
    if (next !== undefined) go({ ...whereAsked(next.gate, next.run), step: undefined });
  });
}
