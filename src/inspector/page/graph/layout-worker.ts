// A worker that computes layouts, so that the page never waits for them.
import { layoutOf } from '../../../view/graph/layout.ts';
import type { Scene } from '../../../view/graph/scene.ts';

self.addEventListener('message', ({ data }: MessageEvent<{ readonly key: string; readonly scene: Scene }>) => {
  self.postMessage({ key: data.key, layout: layoutOf(data.scene) });
});
