// Keeps the picture and the camera of the graph up to date as the run grows and people choose, resize and zoom.
import { effect } from '@preact/signals';
import type { Box, Size } from '../../../view/graph/geometry.ts';
import {
  anchored,
  cameraOfLevel,
  cameraOfPhase,
  cameraOfStep,
  cameraOfWhole,
  revealed,
} from '../../../view/graph/map/camera-moves.ts';
import type { Camera } from '../../../view/graph/map/display-list.ts';
import type { Footprint } from '../../../view/graph/map/footprint.ts';
import type { ShownGraph } from '../../../view/graph/map/shown-graph.ts';
import { place } from '../state/place.ts';
import { found } from '../state/search.ts';
import { type CameraControl, createCamera } from './camera.ts';
import { drawnLevel, pinnedLevel, shownGraph } from './graph-state.ts';
import { createPicture } from './picture.ts';
import { type GraphRequest, requested } from './requests.ts';
import { cursor } from './walk.ts';

export interface GraphView {
  readonly camera: CameraControl;
  size(): Size;
  /** The size when the picture was drawn last: asking for the size of an element lays out the page. */
  drawnSize(): Size;
  /** Zooms until the phase fills the view. */
  zoomTo(key: string): void;
  /** Moves only if the box is out of view. */
  reveal(box: Box): void;
  end(): void;
}

export function createGraphView(frame: HTMLElement, group: SVGGElement): GraphView {
  const size = (): Size => ({ width: frame.clientWidth, height: frame.clientHeight });
  const picture = createPicture(frame, group);
  const camera = createCamera(picture.move, picture.draw);

  /** Goes to where a person wants to be; the graph no longer moves by itself. */
  function goTo(target: Camera | undefined, fly: boolean): void {
    if (target === undefined) return;
    camera.isHeld = true;
    camera.show(target, fly);
  }

  function showWhole(graph: ShownGraph, fly: boolean): void {
    const target = cameraOfWhole(graph, size());
    camera.fit = target.scale;
    camera.show(target, fly);
  }

  function zoomTo(key: string): void {
    const graph = shownGraph.peek();
    if (graph !== undefined) goTo(cameraOfPhase(graph, key, size()), true);
  }

  function showChosen(step: string, fly: boolean): void {
    const graph = shownGraph.peek();
    if (graph !== undefined) goTo(cameraOfStep(graph, step, camera.now, drawnLevel.peek(), size()), fly);
  }

  function answer(request: GraphRequest): void {
    const graph = shownGraph.peek();
    const { width, height } = size();
    if (graph === undefined) return;
    if ('zoom' in request) {
      camera.isHeld = true;
      return camera.zoomBy(request.zoom, { x: width / 2, y: height / 2 });
    }
    const level = 'level' in request ? request.level : undefined;
    pinnedLevel.value = level;
    if (level === 'middle' || level === 'near') {
      goTo(cameraOfLevel(graph, level, place.peek().step, camera.now, size()), true);
    } else if ('fit' in request || level === 'far') {
      camera.isHeld = false;
      showWhole(graph, true);
    } else picture.draw(camera.now);
  }

  /** A growing graph stays in view until a person moves it; then the part in the middle stays where it is. */
  function update(graph: ShownGraph, before: Footprint | undefined): void {
    if (graph.footprint === before) camera.redraw();
    else if (before === undefined || !camera.isHeld) showWhole(graph, false);
    else camera.show(anchored(camera.now, before, graph.footprint, size()), false);
  }

  const stop = follow({ update, showChosen, answer, redraw: () => camera.redraw() });
  const resized = new ResizeObserver(() => {
    const { width, height } = size();
    const drawn = picture.size();
    if (drawn?.width === width && drawn.height === height) return;
    const graph = shownGraph.peek();
    const { step } = place.peek();
    if (graph !== undefined && !camera.isHeld) showWhole(graph, false);
    else camera.redraw();
    if (step !== undefined) showChosen(step, false);
  });
  resized.observe(frame);

  return {
    camera,
    size,
    drawnSize: () => picture.size() ?? size(),
    zoomTo,
    reveal: (box) => goTo(revealed(box, camera.now, size()), true),
    end() {
      stop();
      resized.disconnect();
      camera.end();
    },
  };
}

interface Followers {
  update(graph: ShownGraph, before: Footprint | undefined): void;
  showChosen(step: string, fly: boolean): void;
  answer(request: GraphRequest): void;
  redraw(): void;
}

/** Follows the run, the chosen step, the cursor, the search and the requests. Returns a function that ends it. */
function follow({ update, showChosen, answer, redraw }: Followers): () => void {
  let before: Footprint | undefined;
  let shownStep: string | undefined;
  let isFirst = true;
  const stops = [
    effect(() => {
      const graph = shownGraph.value;
      if (graph === undefined) redraw();
      else update(graph, before);
      // A step that the address names may come after the first events.
      if (shownStep !== undefined && before === undefined) showChosen(shownStep, false);
      before = graph?.footprint;
    }),
    effect(() => {
      const { step } = place.value;
      shownStep = step;
      redraw();
      if (step === undefined) return;
      showChosen(step, !isFirst);
      // Walking goes on from the step that was chosen last.
      cursor.value = step;
    }),
    effect(() => {
      cursor.value;
      found.value;
      redraw();
    }),
    effect(() => {
      const request = requested.value;
      if (request === undefined) return;
      requested.value = undefined;
      answer(request);
    }),
  ];
  isFirst = false;
  return () => {
    for (const stop of stops) stop();
  };
}
