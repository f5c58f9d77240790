// Looking at a run as it was: any instant of its journal, or one after the other.
import { effect, signal } from '@preact/signals';
import { go, place } from './place.ts';
import { latest } from './run.ts';

export const isPlaying = signal(false);

/** After the event of this version; undefined, or behind the last one: what happens now. */
export function showAt(version: number | undefined): void {
  const last = latest.peek()?.version ?? 0;
  go({ at: version === undefined || version >= last ? undefined : Math.max(1, version) });
}

/** A run is played in about so many steps of so long. */
const STEPS = 200;
const STEP_TIME = 60;

export function keepPlaying(): () => void {
  return effect(() => {
    if (!isPlaying.value) return;
    const last = latest.peek()?.version ?? 0;
    // From where one stands; from the beginning when that is the end.
    if (place.peek().at === undefined) showAt(1);
    const timer = setInterval(() => {
      const { at } = place.peek();
      if (at === undefined) isPlaying.value = false;
      else showAt(at + Math.max(1, Math.round(last / STEPS)));
    }, STEP_TIME);
    return () => clearInterval(timer);
  });
}
