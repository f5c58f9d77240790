// The visible part of the graph; panning and zooming redraw nothing until new parts come into view.
import { signal } from '@preact/signals';
import type { Box } from '../../../view/graph/geometry.ts';

interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

const LEAST = 0.04;
const MOST = 2;
/** The margin around the screen that is drawn too, as a fraction of the screen. */
const MARGIN = 0.6;

/** The drawn box, in the graph's own units, and its scale. */
export interface Drawn extends Box {
  readonly detail: 'full' | 'names' | 'shapes';
}

export interface Camera {
  readonly drawn: { readonly value: Drawn };
  attach(frame: HTMLElement, moved: SVGElement): () => void;
  moveBy(x: number, y: number): void;
  /** Zooms around a point of the frame, by default its center. */
  zoomBy(factor: number, around?: { readonly x: number; readonly y: number }): void;
  /** Shows the whole box, at most at full size. */
  fit(whole: Box): void;
  /** Moves by the smallest distance that makes the box visible. */
  reveal(box: Box): void;
  /** A person has moved the graph, so it no longer moves by itself. */
  isHeld: boolean;
}

export function createCamera(): Camera {
  const drawn = signal<Drawn>({ x: 0, y: 0, width: 0, height: 0, detail: 'full' });
  let view: Viewport = { x: 40, y: 40, scale: 1 };
  let frame: HTMLElement | undefined;
  let moved: SVGElement | undefined;
  /** The box that stays in view until a person moves the graph. */
  let kept: Box | undefined;
  let still: ReturnType<typeof setTimeout> | undefined;

  function show(next: Viewport): void {
    view = next;
    if (frame === undefined || moved === undefined) return;
    moved.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
    frame.classList.add('moving');
    clearTimeout(still);
    still = setTimeout(() => frame?.classList.remove('moving'), 160);
    const seen = seenIn(frame);
    const { value } = drawn;
    if (value.detail !== seen.detail || !holds(value, seen) || value.width > 6 * seen.width) drawn.value = grown(seen);
  }

  function seenIn({ clientWidth, clientHeight }: HTMLElement): Drawn {
    const { x, y, scale } = view;
    const detail = scale < 0.28 ? 'shapes' : scale < 0.55 ? 'names' : 'full';
    return { x: -x / scale, y: -y / scale, width: clientWidth / scale, height: clientHeight / scale, detail };
  }

  const camera: Camera = {
    drawn,
    isHeld: false,
    attach(outer, inner) {
      frame = outer;
      moved = inner;
      const resized = new ResizeObserver(() => (kept === undefined || camera.isHeld ? show(view) : camera.fit(kept)));
      resized.observe(outer);
      return () => resized.disconnect();
    },
    moveBy: (x, y) => show({ ...view, x: view.x + x, y: view.y + y }),
    zoomBy(factor, around = { x: (frame?.clientWidth ?? 0) / 2, y: (frame?.clientHeight ?? 0) / 2 }) {
      const scale = Math.min(MOST, Math.max(LEAST, view.scale * factor));
      const ratio = scale / view.scale;
      show({ scale, x: around.x - (around.x - view.x) * ratio, y: around.y - (around.y - view.y) * ratio });
    },
    fit(whole) {
      kept = whole;
      const { width, height } = whole;
      if (frame === undefined || width <= 0 || height <= 0) return;
      const { clientWidth, clientHeight } = frame;
      const scale = Math.max(LEAST, Math.min(1, (clientWidth - 64) / width, (clientHeight - 64) / height));
      show({ scale, x: (clientWidth - width * scale) / 2, y: (clientHeight - height * scale) / 2 });
    },
    reveal(box) {
      if (frame === undefined) return;
      const { scale } = view;
      const x = shift(view.x + box.x * scale, box.width * scale, frame.clientWidth);
      const y = shift(view.y + box.y * scale, box.height * scale, frame.clientHeight);
      if (x !== 0 || y !== 0) show({ scale, x: view.x + x, y: view.y + y });
    },
  };
  return camera;
}

/** The distance a stretch has to move to lie within another one, with some space around it. */
function shift(start: number, length: number, room: number): number {
  const margin = 48;
  if (start < margin) return margin - start;
  const over = start + length - (room - margin);
  return over > 0 ? -Math.min(over, start - margin) : 0;
}

function grown({ x, y, width, height, detail }: Drawn): Drawn {
  return {
    x: x - width * MARGIN,
    y: y - height * MARGIN,
    width: width * (1 + 2 * MARGIN),
    height: height * (1 + 2 * MARGIN),
    detail,
  };
}

function holds(outer: Box, inner: Box): boolean {
  return (
    outer.x <= inner.x &&
    outer.y <= inner.y &&
    outer.x + outer.width >= inner.x + inner.width &&
    outer.y + outer.height >= inner.y + inner.height
  );
}

export function meets(one: Box, other: Box): boolean {
  return (
    one.x <= other.x + other.width &&
    other.x <= one.x + one.width &&
    one.y <= other.y + other.height &&
    other.y <= one.y + one.height
  );
}
