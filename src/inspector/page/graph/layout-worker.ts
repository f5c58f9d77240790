// Lays scenes out beside the page, so that nothing waits for it.
import { layoutOf } from '../../../view/graph/layout.ts';
import type { Scene } from '../../../view/graph/scene.ts';

self.addEventListener('message', ({ data }: MessageEvent<{ readonly key: string; readonly scene: Scene }>) => {
  self.postMessage({ key: data.key, layout: layoutOf(data.scene) });
});
