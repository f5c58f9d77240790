// Buttons that zoom like the wheel, and a button that shows the whole graph.
import { layout } from './laid-out.ts';
import type { Camera } from './viewport.ts';

export function ZoomBar({ camera }: { readonly camera: Camera }) {
  const zoom = (factor: number) => (): void => {
    camera.isHeld = true;
    camera.zoomBy(factor);
  };
  const fit = (): void => {
    camera.isHeld = false;
    if (layout.value !== undefined) camera.fit(layout.value.whole);
  };
  return (
    <div class="zoom-bar">
      <button type="button" onClick={zoom(1.3)} aria-label="Zoom in" data-key="zoom-in">
        +
      </button>
      <button type="button" onClick={zoom(1 / 1.3)} aria-label="Zoom out" data-key="zoom-out">
        −
      </button>
      <button type="button" onClick={fit} aria-label="Show the whole graph" data-key="fit">
        fit
      </button>
    </div>
  );
}
