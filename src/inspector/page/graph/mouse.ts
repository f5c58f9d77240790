// Handles the mouse on the graph: dragging moves, the wheel zooms, a click selects.
import type { Camera } from './viewport.ts';

/** A press that moves less than this many pixels is a click. */
const CLICK_RADIUS = 4;

/** Returns a function that removes the listeners. */
export function followMouse(frame: HTMLElement, camera: Camera, choose: (card: string) => void): () => void {
  const released = new AbortController();
  const { signal } = released;
  let from: { x: number; y: number; moved: boolean; card: string | undefined } | undefined;
  let pending = { x: 0, y: 0 };
  let isDrawing = false;

  function draw(): void {
    isDrawing = false;
    camera.moveBy(pending.x, pending.y);
    pending = { x: 0, y: 0 };
  }

  frame.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button !== 0 || isControl(event.target)) return;
      from = { x: event.clientX, y: event.clientY, moved: false, card: cardAt(event.target) };
    },
    { signal },
  );
  frame.addEventListener(
    'pointermove',
    (event) => {
      if (from === undefined) return;
      const [x, y] = [event.clientX - from.x, event.clientY - from.y];
      if (!from.moved && Math.hypot(x, y) < CLICK_RADIUS) return;
      if (!from.moved) frame.setPointerCapture(event.pointerId);
      from = { ...from, x: event.clientX, y: event.clientY, moved: true };
      camera.isHeld = true;
      pending = { x: pending.x + x, y: pending.y + y };
      if (!isDrawing) requestAnimationFrame(draw);
      isDrawing = true;
    },
    { signal },
  );
  const end = (): void => {
    if (from !== undefined && !from.moved && from.card !== undefined) choose(from.card);
    from = undefined;
  };
  frame.addEventListener('pointerup', end, { signal });
  frame.addEventListener(
    'pointercancel',
    () => {
      from = undefined;
    },
    { signal },
  );
  frame.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      camera.isHeld = true;
      if (event.shiftKey) return camera.moveBy(-event.deltaY - event.deltaX, 0);
      const corner = frame.getBoundingClientRect();
      const around = { x: event.clientX - corner.left, y: event.clientY - corner.top };
      camera.zoomBy(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), around);
    },
    { signal, passive: false },
  );
  return () => released.abort();
}

function cardAt(target: EventTarget | null): string | undefined {
  const card = target instanceof Element ? target.closest('[data-card]') : null;
  return card?.getAttribute('data-card') ?? undefined;
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, .band-head') !== null;
}
