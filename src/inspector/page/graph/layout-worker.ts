// Lays scenes out beside the page, so that nothing waits for it.
import { layoutOf } from './layout.ts';
import type { Scene } from './scene.ts';

self.addEventListener('message', ({ data }: MessageEvent<{ readonly key: string; readonly scene: Scene }>) => {
  self.postMessage({ key: data.key, layout: layoutOf(data.scene) });
});
