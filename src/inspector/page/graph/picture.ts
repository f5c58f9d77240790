// The picture of the graph in the page: drawn for one camera, and moved by a transform until it is drawn anew.
import { signal } from '@preact/signals';
import type { Size } from '../../../view/graph/geometry.ts';
import type { Camera, DisplayList, Level } from '../../../view/graph/map/display-list.ts';
import { drawGraph } from '../../../view/graph/map/draw-graph.ts';
import { STEP } from '../../../view/graph/map/footprint.ts';
import { svgOf } from '../../../view/graph/map/paint-svg.ts';
import { levelFor, relatedTo, type ShownGraph } from '../../../view/graph/map/shown-graph.ts';
import { place } from '../state/place.ts';
import { found } from '../state/search.ts';
import { drawnLevel, pinnedLevel, shownGraph } from './graph-state.ts';
import { createTextWidth } from './text-width.ts';
import { cursor } from './walk.ts';

/** The camera at this moment, for the minimap. */
export const cameraNow = signal<Camera>({ x: 0, y: 0, scale: 1 });

/** The part around the view that is drawn too, in parts of the view; cards are few, so more of them are drawn. */
const MARGINS: Readonly<Record<Level, number>> = { far: 0.4, middle: 0.5, near: 0.9 };

export interface GraphPicture {
  /** Shows what was drawn under another camera; false if it does not cover the view. */
  move(drawn: Camera, now: Camera): boolean;
  draw(camera: Camera): void;
  /** The size of the view when it was drawn last; undefined before. */
  size(): Size | undefined;
}

declare global {
  interface Window {
    /**
     * For tests that measure whether the graph can be read: the display list of the last picture, as in
     * `src/view/graph/map/display-list.ts`. Boxes are in pixels from the corner of `.canvas`, colors are names of CSS
     * variables, and things may lie outside the view.
     */
    reconvergeGraph?: () => DisplayList | undefined;
  }
}

export function createPicture(frame: HTMLElement, picture: SVGGElement): GraphPicture {
  const widthOf = createTextWidth();
  // The browser keeps the whole `svg` as one image; a transform of the group inside would lay out its texts anew.
  const moved = picture.ownerSVGElement ?? picture;
  let drawnSize: Size | undefined;
  let level: Level | undefined;
  let margin = 0;
  let last: DisplayList | undefined;
  let related:
    | { readonly step: string; readonly of: ShownGraph['needs']; readonly ids: ReadonlySet<string> }
    | undefined;
  window.reconvergeGraph = () => last;

  const size = (): Size => ({ width: frame.clientWidth, height: frame.clientHeight });

  function relatedOf({ needs }: ShownGraph, step: string): ReadonlySet<string> {
    if (related?.step !== step || related.of !== needs) related = { step, of: needs, ids: relatedTo(needs, step) };
    return related.ids;
  }

  return {
    size: () => drawnSize,
    move(drawn, now) {
      const grown = now.scale / drawn.scale;
      const [x, y] = [now.x - drawn.x * grown, now.y - drawn.y * grown];
      moved.style.transform = `translate(${x}px, ${y}px) scale(${grown})`;
      frame.classList.add('moving');
      cameraNow.value = now;
      // Asking the frame would lay out the page; another size causes another picture.
      const { width, height } = drawnSize ?? size();
      const isCovered =
        x - margin * grown <= 0 &&
        y - margin * grown <= 0 &&
        x + (width + margin) * grown >= width &&
        y + (height + margin) * grown >= height;
      return isCovered;
    },
    draw(camera) {
      const graph = shownGraph.peek();
      if (graph === undefined) return picture.replaceChildren();
      drawnSize = size();
      const { width, height } = drawnSize;
      const { step } = place.peek();
      const hits = found.peek();
      level = legible(pinnedLevel.peek(), STEP.width * camera.scale, level);
      margin = Math.round(MARGINS[level] * Math.max(width, height));
      last = drawGraph(graph, {
        camera,
        width,
        height,
        margin,
        level,
        chosen: step,
        cursor: step === cursor.peek() ? undefined : cursor.peek(),
        related: step === undefined ? undefined : relatedOf(graph, step),
        found: hits === undefined ? undefined : new Set(hits.steps),
        widthOf,
      });
      const focused = document.activeElement?.getAttribute('data-phase');
      picture.innerHTML = svgOf(last);
      moved.style.transform = '';
      frame.classList.remove('moving');
      if (focused !== undefined && focused !== null) focusPhase(picture, focused);
      cameraNow.value = camera;
      drawnLevel.value = level;
    },
  };
}

/** A pinned level is left where its shapes would be specks: thousands of them say nothing, and are slow. */
function legible(pinned: Level | undefined, card: number, before: Level | undefined): Level {
  const own = levelFor(card, before);
  if (pinned === undefined || pinned === 'far') return pinned ?? own;
  if (pinned === 'near') return card >= 60 ? 'near' : own;
  return card >= 10 ? 'middle' : 'far';
}

/** A new picture has new elements, so the focus would be lost. */
function focusPhase(picture: Element, key: string): void {
  const [same] = [...picture.querySelectorAll('[data-phase]')].filter(
    (each) => each.getAttribute('data-phase') === key,
  );
  if (same instanceof SVGElement) same.focus({ preventScroll: true });
}
