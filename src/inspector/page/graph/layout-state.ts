// The scene of the run and its layout. Only new cards, edges or bands cause a new layout; new states do not.
import { computed, effect, signal } from '@preact/signals';
import { graphOfRun } from '../../../view/graph/export.ts';
import type { Layout } from '../../../view/graph/layout.ts';
import { type Scene, sceneOf } from '../../../view/graph/scene.ts';
import { latest, shown } from '../state/run.ts';

/** Bands that a person folded or unfolded. */
const turned = signal<ReadonlyMap<string, boolean>>(new Map());

export function turn(band: string, folded: boolean): void {
  turned.value = new Map([...turned.value, [band, folded]]);
}

export const scene = computed<Scene | undefined>(() => {
  const moment = shown.value;
  return moment && sceneOf(graphOfRun(moment.state), turned.value);
});

/** The layout always covers the whole run, so that nothing moves when a person looks at the past. */
const latestScene = computed<Scene | undefined>(() => {
  const moment = latest.value;
  if (moment === undefined || moment === shown.value) return scene.value;
  return sceneOf(graphOfRun(moment.state), turned.value);
});

export const layout = signal<Layout | undefined>(undefined);
export const isLayingOut = signal(false);

export function keepLaidOut(): void {
  const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });
  let requested = '';
  let isBusy = false;

  function ask(): void {
    const wanted = latestScene.peek();
    if (isBusy || wanted === undefined) return;
    const key = keyOf(wanted);
    if (key === requested) return;
    requested = key;
    isBusy = true;
    isLayingOut.value = true;
    const { cards, edges, bands } = wanted;
    worker.postMessage({ key, scene: { cards, edges, bands } });
  }

  worker.addEventListener('message', ({ data }: MessageEvent<{ readonly key: string; readonly layout: Layout }>) => {
    isBusy = false;
    isLayingOut.value = false;
    layout.value = data.layout;
    // Scenes that arrived in the meantime share one layout.
    ask();
  });
  effect(() => {
    if (latestScene.value === undefined) {
      layout.value = undefined;
      requested = '';
    } else ask();
  });
}

/** The key of a layout: everything in the scene that the layout depends on. */
function keyOf({ cards, edges, bands }: Scene): string {
  return JSON.stringify([
    cards.map(({ id, band }) => [id, band]),
    edges.map(({ from, to }) => [from, to]),
    bands.map(({ id, within }) => [id, within]),
  ]);
}
