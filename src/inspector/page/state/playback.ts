// Looks at a run's past: selects any version of its journal, or plays the versions one after another.
import { effect, signal } from '@preact/signals';
import type { Duration } from '../../../base/quantity.ts';
import { go, place } from './place.ts';
import { latest } from './run.ts';

export const isPlaying = signal(false);

/** Shows the state after this version; undefined or a version past the end follows the present. */
export function showAt(version: number | undefined): void {
  const last = latest.peek()?.version ?? 0;
  go({ at: version === undefined || version >= last ? undefined : Math.max(1, version) });
}

/** A playback has about this many frames. */
const FRAMES = 200;
const FRAME_TIME: Duration = 60;

export function keepPlaying(): () => void {
  return effect(() => {
    if (!isPlaying.value) return;
    const last = latest.peek()?.version ?? 0;
    // Playback starts at the selected version, or at the beginning if the selected version is the end.
    if (place.peek().at === undefined) showAt(1);
    const timer = setInterval(() => {
      const { at } = place.peek();
      if (at === undefined) isPlaying.value = false;
      else showAt(at + Math.max(1, Math.round(last / FRAMES)));
    }, FRAME_TIME);
    return () => clearInterval(timer);
  });
}
