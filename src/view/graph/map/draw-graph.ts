// Makes the display list of a graph at one camera: only what is in view, each phase at the level that can be read.
import type { Box } from '../geometry.ts';
import { NARROW } from './camera-moves.ts';
import type { DisplayList, DrawnThing } from './display-list.ts';
import { drawChain, drawConnectors, drawNeeds } from './draw-lines.ts';
import { drawBlock, drawFold, drawFrame, drawSticky } from './draw-phase.ts';
import { drawStep, isLoud, loudness, type TakenBoxes } from './draw-step.ts';
import type { PlacedPhase } from './footprint.ts';
import type { Look, ShownGraph } from './shown-graph.ts';
import { stationBox } from './station-box.ts';

/** Smaller cells have no lines between them. */
const LINES_FROM = 18;
const STICKY = { top: 8, height: 26 } as const;

export function drawGraph(graph: ShownGraph, look: Look): DisplayList {
  const { camera, level, width, height, margin } = look;
  const pixels = ({ x, y, width: wide, height: high }: Box): Box => ({
    x: x * camera.scale + camera.x,
    y: y * camera.scale + camera.y,
    width: wide * camera.scale,
    height: high * camera.scale,
  });
  const isSeen = (box: Box): boolean =>
    box.x < width + margin && box.y < height + margin && box.x + box.width > -margin && box.y + box.height > -margin;
  const lines: DrawnThing[] = [drawChain(graph, look, pixels)];
  const frames: DrawnThing[] = [];
  const steps: { readonly id: string; readonly box: Box; readonly station: boolean }[] = [];
  const top: DrawnThing[] = [];
  const taken: TakenBoxes = [];
  const hot = phasesAround(graph, look.chosen);

  function put(placed: PlacedPhase): void {
    const phase = graph.tree.phases.get(placed.key);
    const box = pixels(placed.box);
    if (phase === undefined || !isSeen(box)) return;
    const isHot = hot.has(placed.key);
    if (level === 'far') {
      frames.push(drawBlock(graph, phase, box, look, isHot));
      return;
    }
    frames.push(...drawFrame(graph, phase, placed, box, look, isHot, taken));
    for (const id of placed.cells) {
      const cell = graph.footprint.cells.get(id);
      const own = cell === undefined ? undefined : pixels(cell);
      if (own !== undefined && isSeen(own)) steps.push({ id, box: own, station: false });
    }
    for (const key of placed.inside) {
      const inner = graph.footprint.phases.get(key);
      if (inner === undefined || !isBegun(graph, key)) continue;
      put(inner);
      if (isSeen(box)) frames.push(drawConnectors(graph, placed, inner, look, pixels));
    }
    if (camera.scale * 132 >= LINES_FROM) frames.push(drawNeeds(graph, placed.cells, look, pixels, isSeen));
    const sticky = stickyBox(placed, box, look);
    if (sticky !== undefined) top.push(drawSticky(graph, phase, sticky.x, sticky.y, sticky.width, look));
  }

  for (const part of graph.footprint.parts) {
    if (part.kind === 'fold') {
      const box = pixels(part.box);
      if (isSeen(box)) frames.push(drawFold(graph, part.members, box, look));
    } else if (part.kind === 'steps') {
      const card = (box: Box): Box => stationBox(pixels(box), camera.scale);
      if (part.stacked !== true) lines.push(drawNeeds(graph, part.members, look, card, isSeen));
      for (const id of part.members) {
        const cell = graph.footprint.cells.get(id);
        const box = cell === undefined ? undefined : card(cell);
        if (box !== undefined && isSeen(box)) steps.push({ id, box, station: true });
      }
    } else {
      const placed = graph.footprint.phases.get(part.key);
      if (placed !== undefined) put(placed);
    }
  }
  return { camera, level, things: [...lines, ...frames, ...drawnSteps(graph, steps, look, taken), ...top] };
}

/** Quiet steps first, because the pills of loud ones may cover them; the chosen step last. */
function drawnSteps(
  graph: ShownGraph,
  steps: readonly { readonly id: string; readonly box: Box; readonly station: boolean }[],
  look: Look,
  taken: TakenBoxes,
): readonly DrawnThing[] {
  const known = steps.map((step) => ({ ...step, facts: graph.stepFacts(step.id) }));
  const [loud, quiet] = [known.filter(isSpecial), known.filter((step) => !isSpecial(step))];
  function isSpecial({ id, facts }: (typeof known)[number]): boolean {
    return isLoud(facts.status) || id === look.chosen || id === look.cursor;
  }
  const rank = ({ id, facts }: (typeof known)[number]): number =>
    id === look.chosen ? 100 : id === look.cursor ? 90 : loudness(facts.status);
  // The most important pills take their place first, and are painted last.
  const pills = loud
    .toSorted((a, b) => rank(b) - rank(a))
    .map(({ id, box, facts, station }) => drawStep(id, box, facts, look, taken, station));
  // Names of quiet cells that a pill would cover are left out.
  const cells = quiet.map(({ id, box, facts, station }) => drawStep(id, box, facts, look, [], station));
  return [...cells.map((cell) => withoutCovered(cell, pills, look)), ...pills.toReversed()];
}

function withoutCovered(cell: DrawnThing, pills: readonly DrawnThing[], { level }: Look): DrawnThing {
  if (level === 'near' || cell.labels.length === 0 || pills.length === 0) return cell;
  const isCovered = pills.some(({ shapes }) =>
    shapes.some(
      (shape) =>
        shape.kind === 'box' &&
        cell.labels.some(
          ({ box }) =>
            box.x < shape.box.x + shape.box.width &&
            shape.box.x < box.x + box.width &&
            box.y < shape.box.y + shape.box.height &&
            shape.box.y < box.y + box.height,
        ),
    ),
  );
  return isCovered ? { ...cell, labels: [] } : cell;
}

/** Nested phases and replans appear when their planner appears. */
function isBegun(graph: ShownGraph, key: string): boolean {
  return graph.stepFacts(key).status !== undefined;
}

function phasesAround({ tree }: ShownGraph, step: string | undefined): ReadonlySet<string> {
  const found = new Set<string>();
  for (
    let key = step === undefined ? undefined : tree.phaseOf.get(step);
    key !== undefined;
    key = tree.phases.get(key)?.within
  )
    found.add(key);
  return found;
}

/** The header of a phase whose own header is above the view. */
function stickyBox({ depth, head }: PlacedPhase, box: Box, { camera, width }: Look) {
  if (depth > 0) return undefined;
  const header = box.y + Math.max(0, head * camera.scale - 54);
  const bottom = box.y + box.height;
  if (header > -4 || bottom < STICKY.top + 2 * STICKY.height) return undefined;
  // On a small screen the button that leads back stands in the corner.
  const left = Math.max(width < NARROW ? 138 : 8, box.x);
  const room = Math.min(width - 8, box.x + box.width) - left;
  return room < 150 ? undefined : { x: left, y: STICKY.top, width: room };
}
