// The graph of the run: a map that people drag, zoom and walk on; on small screens a list of phases.
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { urgentStep } from '../../../view/graph/map/camera-moves.ts';
import { phaseAria } from '../../../view/graph/map/draw-phase.ts';
import { ariaName } from '../../../view/graph/map/draw-step.ts';
import { boxOf } from '../../../view/graph/map/footprint.ts';
import { svgDefinitions } from '../../../view/graph/map/paint-svg.ts';
import type { ShownGraph } from '../../../view/graph/map/shown-graph.ts';
import { topPhaseOf } from '../../../view/phases/phase-tree.ts';
import { go, place } from '../state/place.ts';
import {
  drawnLevel,
  isNarrow,
  keepOutlined,
  openedPhase,
  pinnedLevel,
  shownGraph,
  shownTree,
  unfolded,
  viewSize,
} from './graph-state.ts';
import { createGraphView, type GraphView } from './graph-view.ts';
import { Legend } from './legend.tsx';
import { Minimap } from './minimap.tsx';
import { PhaseList } from './phase-list.tsx';
import { cameraNow } from './picture.ts';
import { followPointers } from './pointer.ts';
import { requested } from './requests.ts';
import { cursor, nextStop, stops, wayOf } from './walk.ts';

/** The minimap appears at this multiple of the scale at which the whole fits. */
const ZOOMED = 1.15;

export function Canvas() {
  useLayoutEffect(keepOutlined, []);
  const tree = shownTree.value?.tree;
  const { step } = place.value;
  const top = tree === undefined || step === undefined ? undefined : topPhaseOf(tree, step);
  // A step that is chosen in a list or by a link opens its phase.
  useEffect(() => {
    if (top !== undefined) openedPhase.value = top;
  }, [top]);
  return isNarrow.value && openedPhase.value === undefined ? <PhaseList /> : <PhaseMap />;
}

function PhaseMap() {
  const frame = useRef<HTMLDivElement>(null);
  const picture = useRef<SVGGElement>(null);
  const [view, setView] = useState<GraphView>();
  const said = useSignal('');

  // The graph is drawn before the browser paints the frame around it.
  useLayoutEffect(() => {
    if (frame.current === null || picture.current === null) return;
    const around = frame.current.closest('.work') ?? frame.current;
    const measure = (): void => {
      const { clientWidth: width } = around;
      const height = frame.current?.clientHeight ?? 0;
      const known = viewSize.peek();
      if (width > 0 && height > 0 && (known?.width !== width || known.height !== height))
        viewSize.value = { width, height };
    };
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(around);
    const made = createGraphView(frame.current, picture.current);
    setView(made);
    const detach = followPointers(frame.current, made.camera, (target) => press(target, made));
    return () => {
      detach();
      resized.disconnect();
      made.end();
      cursor.value = undefined;
    };
  }, []);

  return (
    <div
      class="canvas"
      ref={frame}
      tabIndex={0}
      role="application"
      aria-label="Graph of the run. Arrow keys walk along the steps, Enter opens one, Tab goes through the phases."
      onKeyDown={(event) => {
        if (view !== undefined) walk(event, view, (text) => (said.value = text));
      }}
      onFocusIn={({ target }) => {
        const key = target instanceof Element ? target.getAttribute('data-phase') : null;
        const box = key === null ? undefined : shownGraph.peek()?.footprint.phases.get(key)?.box;
        if (box !== undefined && view !== undefined && target instanceof Element && target.matches(':focus-visible'))
          view.reveal({ ...box, height: Math.min(box.height, 60 / view.camera.now.scale) });
      }}
    >
      <svg class="picture" aria-hidden="false">
        <title>Steps and their dependencies</title>
        <defs dangerouslySetInnerHTML={{ __html: svgDefinitions }} />
        <g ref={picture} class="moved" />
      </svg>
      <Legend />
      {isNarrow.value && (
        <button
          type="button"
          class="all-phases"
          onClick={() => {
            openedPhase.value = undefined;
            go({ step: undefined });
          }}
        >
          ‹ all phases
        </button>
      )}
      {view !== undefined && !isNarrow.value && <Overview view={view} />}
      <p class="unseen" role="status">
        {said}
      </p>
      <span hidden>
        <button type="button" data-key="zoom-in" onClick={() => (requested.value = { zoom: 1.3 })}>
          Zoom in
        </button>
        <button type="button" data-key="zoom-out" onClick={() => (requested.value = { zoom: 1 / 1.3 })}>
          Zoom out
        </button>
      </span>
    </div>
  );
}

function Overview({ view }: { readonly view: GraphView }) {
  const graph = shownGraph.value;
  const isZoomed = useComputed(() => {
    const laid = shownGraph.value?.footprint;
    const { scale } = cameraNow.value;
    const { width, height } = view.drawnSize();
    if (laid === undefined) return false;
    const isWhole = laid.width * scale < width + 24 && laid.height * scale < height + 24;
    return scale > laid.fit * ZOOMED || !isWhole;
  });
  if (graph === undefined || !isZoomed.value) return null;
  return (
    <Minimap
      graph={graph}
      view={view.drawnSize}
      onMove={(x, y) => {
        const { scale } = view.camera.now;
        const size = view.size();
        view.camera.isHeld = true;
        view.camera.moveBy(
          size.width / 2 - x * scale - view.camera.now.x,
          size.height / 2 - y * scale - view.camera.now.y,
        );
      }}
    />
  );
}

function press(target: Element, view: GraphView): void {
  const step = target.closest('[data-card]')?.getAttribute('data-card');
  const phase = target.closest('[data-phase]')?.getAttribute('data-phase');
  if (step !== null && step !== undefined) open(step, view);
  else if (phase !== null && phase !== undefined) open(phase, view);
}

/** A step opens its panel, a block its phase, a fold its phases; the header of an open phase opens its planner. */
function open(id: string, view: GraphView): void {
  const graph = shownGraph.peek();
  const fold = graph?.footprint.parts.find(({ kind, members }) => kind === 'fold' && members.includes(id));
  if (fold !== undefined) unfolded.value = new Set([...unfolded.value, ...fold.members]);
  else if (drawnLevel.peek() === 'far' && graph?.footprint.phases.has(id) === true) {
    pinnedLevel.value = undefined;
    view.zoomTo(id);
  } else go({ step: id, gate: undefined });
}

function walk(event: KeyboardEvent, view: GraphView, say: (text: string) => void): void {
  const graph = shownGraph.peek();
  if (graph === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  const focused = document.activeElement?.getAttribute('data-phase') ?? undefined;
  if (event.key === 'Enter' || (event.key === ' ' && focused !== undefined)) {
    const id = focused ?? cursor.peek();
    if (id === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    open(id, view);
    return;
  }
  const way = wayOf(event.key);
  if (way === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.shiftKey) {
    view.camera.isHeld = true;
    view.camera.moveBy(-way[0] * 120, -way[1] * 120);
    return;
  }
  const boxes = stops(graph, drawnLevel.peek());
  const { step } = place.peek();
  const here = cursor.peek() ?? step ?? focused;
  const from = here === undefined ? undefined : (boxes.get(here) ?? boxOf(graph.footprint, graph.tree, here));
  const next = here === undefined || from === undefined ? firstStop(graph, boxes) : nextStop(boxes, from, way, here);
  if (next === undefined) return;
  frameOf(event)?.focus({ preventScroll: true });
  cursor.value = next;
  const box = boxes.get(next);
  if (box !== undefined) view.reveal(box);
  const phase = drawnLevel.peek() === 'far' ? graph.tree.phases.get(next) : undefined;
  say(phase === undefined ? ariaName(graph.stepFacts(next)) : phaseAria(phase, graph.phaseFacts(phase)));
  // The panel follows the cursor while it is open.
  if (step !== undefined && phase === undefined) go({ step: next, gate: undefined });
}

function frameOf({ currentTarget }: KeyboardEvent): HTMLElement | undefined {
  return currentTarget instanceof HTMLElement ? currentTarget : undefined;
}

/** Walking begins at the step that needs a person first. */
function firstStop(graph: ShownGraph, boxes: ReturnType<typeof stops>): string | undefined {
  const urgent = urgentStep(graph);
  return urgent !== undefined && boxes.has(urgent) ? urgent : boxes.keys().next().value;
}
