// The camera of the graph: it moves and zooms at once by a transform, and asks for a new picture when it rests.
import type { Camera } from '../../../view/graph/map/display-list.ts';

/** A picture at rest for this time is drawn anew, so that words have their size again. */
const REST = 160;
const FLIGHT = 240;
const MOST = 1.6;

export interface CameraControl {
  readonly now: Camera;
  /** A person has moved the graph, so it no longer moves by itself. */
  isHeld: boolean;
  /** The scale at which the whole is in view; nobody needs to see it smaller. */
  fit: number;
  moveBy(x: number, y: number): void;
  /** Zooms around a point of the view. */
  zoomBy(factor: number, around: { readonly x: number; readonly y: number }): void;
  /** `fly`: in an animation, unless the reader prefers reduced motion. */
  show(camera: Camera, fly: boolean): void;
  /** Draws the picture anew, at once. */
  redraw(): void;
  end(): void;
}

/** `move`: shows the last picture under another camera; false: it does not cover the view. */
export function createCamera(
  move: (drawn: Camera, now: Camera) => boolean,
  draw: (now: Camera) => void,
): CameraControl {
  let now: Camera = { x: 0, y: 0, scale: 1 };
  let last = now;
  let rest: ReturnType<typeof setTimeout> | undefined;
  let drawing: number | undefined;
  let frame: number | undefined;

  function forget(): void {
    clearTimeout(rest);
    if (drawing !== undefined) cancelAnimationFrame(drawing);
    drawing = undefined;
  }

  function redraw(): void {
    forget();
    last = now;
    draw(now);
  }

  function set(next: Camera): void {
    const isZoomed = next.scale !== now.scale;
    now = next;
    forget();
    // On a busy machine the timer ends while moves wait: the frame takes them first, and they cancel the drawing.
    rest = setTimeout(() => {
      drawing = requestAnimationFrame(redraw);
    }, REST);
    // Dragging brings parts into view that the last picture does not have. Zooming redraws at its end only.
    if (!move(last, now) && !isZoomed) redraw();
  }

  const stop = (): void => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    frame = undefined;
  };

  return {
    get now() {
      return now;
    },
    isHeld: false,
    fit: 1,
    moveBy(x, y) {
      stop();
      set({ ...now, x: now.x + x, y: now.y + y });
    },
    zoomBy(factor, around) {
      stop();
      const scale = Math.min(MOST, Math.max(Math.min(this.fit * 0.6, now.scale), now.scale * factor));
      const ratio = scale / now.scale;
      set({ scale, x: around.x - (around.x - now.x) * ratio, y: around.y - (around.y - now.y) * ratio });
    },
    show(target, fly) {
      stop();
      if (!fly || matchMedia('(prefers-reduced-motion: reduce)').matches) {
        now = target;
        return redraw();
      }
      const from = now;
      const begun = performance.now();
      const step = (time: number): void => {
        const part = Math.min(1, Math.max(0, (time - begun) / FLIGHT));
        const eased = part * part * (3 - 2 * part);
        if (part >= 1) {
          frame = undefined;
          now = target;
          return redraw();
        }
        frame = requestAnimationFrame(step);
        set(between(from, target, eased));
      };
      frame = requestAnimationFrame(step);
    },
    redraw,
    end() {
      stop();
      forget();
    },
  };
}

function between(from: Camera, to: Camera, part: number): Camera {
  const scale = from.scale * (to.scale / from.scale) ** part;
  // The point of the map in the corner moves evenly.
  const x = -from.x / from.scale + (from.x / from.scale - to.x / to.scale) * part;
  const y = -from.y / from.scale + (from.y / from.scale - to.y / to.scale) * part;
  return { scale, x: -x * scale, y: -y * scale };
}
