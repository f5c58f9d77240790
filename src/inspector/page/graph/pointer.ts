// Handles pointers on the graph: dragging moves, the wheel and two fingers zoom, a click chooses.
import type { CameraControl } from './camera.ts';

/** A press that moves less than this many pixels is a click. */
const CLICK_RADIUS = 4;

interface Finger {
  readonly x: number;
  readonly y: number;
}

/** Returns a function that removes the listeners. */
export function followPointers(
  frame: HTMLElement,
  camera: CameraControl,
  click: (target: Element) => void,
): () => void {
  const released = new AbortController();
  const { signal } = released;
  const fingers = new Map<number, Finger>();
  let pressed: Element | undefined;
  let isMoved = false;
  let pending = { x: 0, y: 0 };
  let isDrawing = false;

  function draw(): void {
    isDrawing = false;
    camera.moveBy(pending.x, pending.y);
    pending = { x: 0, y: 0 };
  }

  const local = (x: number, y: number): Finger => {
    const corner = frame.getBoundingClientRect();
    return { x: x - corner.left, y: y - corner.top };
  };

  frame.addEventListener(
    'pointerdown',
    ({ button, target, pointerId, clientX, clientY }) => {
      if (button !== 0 || !(target instanceof Element) || target.closest('button, .minimap') !== null) return;
      fingers.set(pointerId, { x: clientX, y: clientY });
      if (fingers.size === 1) [pressed, isMoved] = [target, false];
    },
    { signal },
  );
  frame.addEventListener(
    'pointermove',
    ({ pointerId, clientX, clientY }) => {
      const before = fingers.get(pointerId);
      if (before === undefined) return;
      const [x, y] = [clientX - before.x, clientY - before.y];
      if (!isMoved && Math.hypot(x, y) < CLICK_RADIUS) return;
      if (!isMoved) frame.setPointerCapture(pointerId);
      isMoved = true;
      camera.isHeld = true;
      const other = [...fingers].find(([id]) => id !== pointerId)?.[1];
      fingers.set(pointerId, { x: clientX, y: clientY });
      if (other !== undefined) {
        const grown =
          Math.hypot(clientX - other.x, clientY - other.y) / Math.hypot(before.x - other.x, before.y - other.y);
        camera.zoomBy(grown, local((clientX + other.x) / 2, (clientY + other.y) / 2));
        return;
      }
      pending = { x: pending.x + x, y: pending.y + y };
      if (!isDrawing) requestAnimationFrame(draw);
      isDrawing = true;
    },
    { signal },
  );
  frame.addEventListener(
    'pointerup',
    ({ pointerId }) => {
      if (fingers.delete(pointerId) && !isMoved && pressed !== undefined) click(pressed);
      if (fingers.size === 0) pressed = undefined;
    },
    { signal },
  );
  frame.addEventListener('pointercancel', ({ pointerId }) => fingers.delete(pointerId), { signal });
  frame.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      camera.isHeld = true;
      if (event.shiftKey) return camera.moveBy(-event.deltaY - event.deltaX, 0);
      camera.zoomBy(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), local(event.clientX, event.clientY));
    },
    { signal, passive: false },
  );
  return () => released.abort();
}
