// Where the camera goes: to the whole, to a phase, to a chosen step, or to another level.
import type { Box, Size } from '../geometry.ts';
import type { Camera, Level } from './display-list.ts';
import { boxOf, type Footprint, STEP } from './footprint.ts';
import type { ShownGraph } from './shown-graph.ts';

/** At this scale a card has its name in full size. */
const READABLE = 0.95;
/** The scales of the buttons for cells with names and for cards. */
const SCALE_OF: Readonly<Record<Exclude<Level, 'far'>, number>> = { middle: 0.5, near: 0.95 };
/** The legend stands at the foot of the view. */
const FOOT = 56;
const TOP = 14;
/** The name of a phase whose header is out of view stands in this strip at the top. */
const STRIP = 44;
/** The most room of the minimap, which stands at the right of the foot. */
export const MINIMAP: Size = { width: 250, height: 130 };
/** Smaller screens show one phase, fitted to the width. */
export const NARROW = 600;

/** Shows the whole; where it is higher than the view, the part with the most urgent step. */
export function cameraOfWhole(graph: ShownGraph, { width, height }: Size): Camera {
  const whole = graph.footprint;
  if (width < NARROW) return { scale: Math.min(1, (width - 24) / whole.width), x: 12, y: 56 };
  const scale = Math.min(whole.fit, Math.max(whole.fit * 0.6, (width - 24) / whole.width));
  const free = height - FOOT - whole.height * scale;
  const x = Math.max(12, (width - whole.width * scale) / 2);
  if (free >= TOP) return { scale, x, y: Math.max(TOP, free * 0.35) };
  const urgent = urgentBox(graph);
  if (urgent === undefined) return { scale, x, y: TOP };
  // The minimap stands in the right corner, and the first row in view is whole.
  const isInCorner = x + (urgent.x + urgent.width) * scale > width - MINIMAP.width - 24;
  const lowest = isInCorner ? free - MINIMAP.height : free;
  const wanted = Math.max(lowest, height / 2 - (urgent.y + urgent.height / 2) * scale);
  const first = whole.rows.find((row) => row.y * scale + wanted >= 0);
  return { scale, x, y: Math.min(TOP, first === undefined ? wanted : TOP - first.y * scale) };
}

/** Zooms until the phase fills the view. */
export function cameraOfPhase({ footprint }: ShownGraph, key: string, { width, height }: Size): Camera | undefined {
  const box = footprint.phases.get(key)?.box;
  if (box === undefined) return undefined;
  const scale = Math.min((width - 60) / box.width, (height - 80) / box.height, 1.1);
  return centered(box, scale, { width, height });
}

/** Shows a chosen step large enough to be read; undefined if it can be read already. */
export function cameraOfStep(
  graph: ShownGraph,
  step: string,
  now: Camera,
  level: Level | undefined,
  view: Size,
): Camera | undefined {
  const { footprint, tree } = graph;
  const box = boxOf(footprint, tree, step);
  if (box === undefined) return undefined;
  if (!footprint.cells.has(step)) {
    if (level === 'far' && footprint.phases.has(step)) return cameraOfPhase(graph, step, view);
    return revealed({ ...box, width: Math.min(box.width, 260 / now.scale) }, now, view);
  }
  const isReadable = now.scale >= READABLE || box.width * now.scale >= READABLE * STEP.width;
  if (isReadable && isInView(box, now, view)) return undefined;
  const target = centered(box, Math.max(now.scale, READABLE), view);
  if (view.width >= NARROW) return target;
  // On a small screen the panel of the step covers the lower part, and the name of the phase the top.
  const top = target.y + box.y * target.scale;
  return { ...target, y: target.y - Math.max(0, Math.min(view.height * 0.25, top - STRIP)) };
}

/** Shows a level around the chosen step, else around the most urgent one, else around the middle of the view. */
export function cameraOfLevel(
  graph: ShownGraph,
  level: Exclude<Level, 'far'>,
  chosen: string | undefined,
  now: Camera,
  view: Size,
): Camera {
  const { footprint, tree } = graph;
  const own = chosen === undefined ? undefined : boxOf(footprint, tree, chosen);
  const box = own ?? urgentBox(graph) ?? middleOf(now, view);
  return filled(centered(box, Math.max(footprint.fit, SCALE_OF[level]), view), footprint, view);
}

/** The camera that has a box in the middle of the view. */
function centered(box: Box, scale: number, { width, height }: Size): Camera {
  return {
    scale,
    x: width / 2 - (box.x + box.width / 2) * scale,
    y: height / 2 - (box.y + box.height / 2) * scale,
  };
}

/** Moves by the smallest distance that brings a box into view; undefined if it is there. */
export function revealed(box: Box, { x, y, scale }: Camera, { width, height }: Size): Camera | undefined {
  const right = shift(x + box.x * scale, box.width * scale, width);
  const down = shift(y + box.y * scale, box.height * scale, height);
  return right === 0 && down === 0 ? undefined : { scale, x: x + right, y: y + down };
}

/** The camera under which the phase in the middle of the view stays where it was, after a new layout. */
export function anchored(camera: Camera, before: Footprint, after: Footprint, view: Size): Camera {
  const middle = middleOf(camera, view);
  const distance = ({ x, y, width, height }: Box): number =>
    Math.hypot(x + width / 2 - middle.x, y + height / 2 - middle.y);
  const places = new Map(after.parts.map(({ key, box }) => [key, box]));
  const [nearest] = before.parts
    .filter(({ key }) => places.has(key))
    .toSorted((a, b) => distance(a.box) - distance(b.box));
  const to = places.get(nearest?.key ?? '');
  if (nearest === undefined || to === undefined) return camera;
  const { scale } = camera;
  return { scale, x: camera.x + (nearest.box.x - to.x) * scale, y: camera.y + (nearest.box.y - to.y) * scale };
}

/** The step that asks, else one that runs, else one that failed. */
export function urgentStep(graph: ShownGraph): string | undefined {
  for (const wanted of ['asks', 'running', 'retrying', 'failed'])
    for (const id of graph.needs.keys()) if (graph.stepFacts(id).status === wanted) return id;
  return undefined;
}

function urgentBox(graph: ShownGraph): Box | undefined {
  const step = urgentStep(graph);
  return step === undefined ? undefined : boxOf(graph.footprint, graph.tree, step);
}

function isInView({ x, y, width, height }: Box, camera: Camera, view: Size): boolean {
  const [left, top] = [camera.x + x * camera.scale, camera.y + y * camera.scale];
  return (
    left >= 8 &&
    top >= 40 &&
    left + width * camera.scale <= view.width - 8 &&
    top + height * camera.scale <= view.height - 8
  );
}

/** The part of the whole that the view shows. */
export function partInView(whole: Size, { x, y, scale }: Camera, view: Size): Box {
  const [left, right] = within(-x / scale, view.width / scale, whole.width);
  const [top, bottom] = within(-y / scale, view.height / scale, whole.height);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function within(start: number, length: number, room: number): readonly [number, number] {
  const at = Math.min(room, Math.max(0, start));
  return [at, Math.max(at, Math.min(room, start + length))];
}

function middleOf({ x, y, scale }: Camera, { width, height }: Size): Box {
  return { x: (width / 2 - x) / scale, y: (height / 2 - y) / scale, width: 0, height: 0 };
}

/** Leaves no side of the view empty while the other side hides something. */
function filled({ x, y, scale }: Camera, whole: Size, view: Size): Camera {
  const margin = 24;
  const along = (at: number, length: number, room: number): number =>
    length + 2 * margin <= room ? (room - length) / 2 : Math.min(margin, Math.max(room - length - margin, at));
  return { scale, x: along(x, whole.width * scale, view.width), y: along(y, whole.height * scale, view.height) };
}

/** The distance a stretch has to move to lie within another one, with some space around it. */
function shift(start: number, length: number, room: number): number {
  const margin = 48;
  if (start < margin) return margin - start;
  const over = start + length - (room - margin);
  return over > 0 ? -Math.min(over, start - margin) : 0;
}
