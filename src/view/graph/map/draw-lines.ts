// Draws the lines of a graph: arrows of the chain, dependencies inside phases, and arrows to replans.
import { defined } from '../../../base/json.ts';
import type { Box } from '../geometry.ts';
import type { DrawnThing, Paint } from './display-list.ts';
import { GAP, PITCH, type PlacedPart, type PlacedPhase } from './footprint.ts';
import { createPen } from './pen.ts';
import type { Look, ShownGraph } from './shown-graph.ts';
import { stationBox, stationsBox } from './station-box.ts';

export type ToPixels = (box: Box) => Box;

/** All lines of one kind are one path, because thousands of elements are slow. */
interface PathBundle {
  readonly plain: string[];
  readonly untravelled: string[];
  readonly related: string[];
}

export function drawChain({ footprint }: ShownGraph, look: Look, pixels: ToPixels): DrawnThing {
  const pen = createPen(look.widthOf);
  const { parts, links, rows, rowGap } = footprint;
  const { y, scale } = look.camera;
  const boxes = parts.map(({ kind, box, members }) => {
    const cell = kind === 'steps' ? footprint.cells.get(members[0] ?? '') : undefined;
    return cell === undefined ? pixels(box) : stationsBox(pixels(box), pixels(cell), scale);
  });
  const lead = parts.length > 40 ? 12 : 15;
  const heightOf = (part: PlacedPart, box: Box): number =>
    box.y + Math.min(lead, box.height / 2 + (part.kind === 'steps' ? 0 : lead));
  for (const [from, to] of links) {
    const [a, b, one, other] = [parts[from], parts[to], boxes[from], boxes[to]];
    if (a === undefined || b === undefined || one === undefined || other === undefined) continue;
    const [ya, yb] = [heightOf(a, one), heightOf(b, other)];
    const [xa, xb] = [one.x + one.width, other.x - 1];
    const bend = Math.min(7, (GAP.x * scale) / 2 + 3);
    const isNext =
      a.row === b.row && xb > xa && !parts.some((part, at) => part.row === a.row && liesBetween(boxes[at], xa, xb));
    const row = rows[a.row];
    const gutter = row === undefined ? ya : y + (row.y + row.height + rowGap / 2) * scale;
    const path = isNext
      ? ya === yb
        ? `M${at(xa)} ${at(ya)}H${at(xb)}`
        : `M${at(xa)} ${at(ya)}H${at((xa + xb) / 2)}V${at(yb)}H${at(xb)}`
      : `M${at(xa)} ${at(ya)}h${bend}V${at(gutter)}H${at(xb - 8)}V${at(yb)}H${at(xb)}`;
    pen.line(path, { stroke: 'line', width: 2, arrow: true });
  }
  parts.forEach((part, index) => {
    const box = boxes[index];
    if (part.stacked !== true || box === undefined) return;
    part.members.slice(1).forEach((id, place) => {
      const [above, below] = [part.members[place], id].map((each) => {
        const cell = footprint.cells.get(each ?? '');
        return cell === undefined ? undefined : stationBox(pixels(cell), scale);
      });
      if (above === undefined || below === undefined) return;
      const x = at(above.x + above.width / 2);
      pen.line(`M${x} ${at(above.y + above.height)}V${at(below.y - 1)}`, { stroke: 'line', width: 2, arrow: true });
    });
  });
  return pen.thing({ kind: 'lines', id: '', box: wholeOf(boxes) });
}

function liesBetween(box: Box | undefined, from: number, to: number): boolean {
  return box !== undefined && box.x >= from && box.x + box.width <= to;
}

/** Dependencies between steps of one phase, or of a group of single steps. */
export function drawNeeds(
  graph: ShownGraph,
  ids: readonly string[],
  look: Look,
  pixels: ToPixels,
  isSeen: (box: Box) => boolean,
): DrawnThing {
  const pen = createPen(look.widthOf);
  const { footprint, needs } = graph;
  const { scale } = look.camera;
  const bundle: PathBundle = { plain: [], untravelled: [], related: [] };
  const inside = new Set(ids);
  const nested = new Set(ids.filter((id) => graph.tree.phases.has(id)));
  for (const id of ids) {
    const cell = footprint.cells.get(id);
    if (cell === undefined) continue;
    const facts = graph.stepFacts(id);
    if (facts.status === undefined) continue;
    const to = pixels(cell);
    for (const need of needs.get(id) ?? []) {
      // The frame of a nested phase stands between its planner and its target.
      const before = inside.has(need) && !nested.has(need) ? footprint.cells.get(need) : undefined;
      if (before === undefined) continue;
      const from = pixels(before);
      if (!isSeen(from) && !isSeen(to)) continue;
      const isRelated = look.related?.has(id) === true && look.related.has(need);
      const passed = facts.status === 'not_run' || graph.stepFacts(need).status === 'not_run';
      const lines = isRelated ? bundle.related : passed ? bundle.untravelled : bundle.plain;
      lines.push(needPath(from, to, scale));
    }
  }
  putBundle(pen, bundle);
  return pen.thing({ kind: 'lines', id: '', box: { x: 0, y: 0, width: 0, height: 0 } });
}

function needPath(from: Box, to: Box, scale: number): string {
  const [x0, y0] = [from.x + from.width, from.y + from.height / 2];
  const [x1, y1] = [to.x, to.y + to.height / 2];
  if (Math.abs(y1 - y0) < 0.5) return `M${at(x0)} ${at(y0)}H${at(x1)}`;
  const gutter = x1 - Math.max(2.5, GAP.x * scale * 0.35);
  // Lanes begin at the left: what they need is above them.
  if (x1 < x0) return `M${at(from.x)} ${at(y0)}H${at(gutter)}V${at(y1)}H${at(x1)}`;
  if (Math.abs(y1 - y0) > 3 * PITCH.y * scale) return `M${at(x0)} ${at(y0)}H${at(gutter)}V${at(y1)}H${at(x1)}`;
  const middle = at(Math.max((x0 + x1) / 2, x1 - 40 * scale));
  return `M${at(x0)} ${at(y0)}H${at(Math.max(x0, x1 - GAP.x * scale))}C${middle} ${at(y0)} ${middle} ${at(y1)} ${at(x1)} ${at(y1)}`;
}

/** From a planner to the phase that it planned, and on to the target; from a failed step to its replan. */
export function drawConnectors(
  graph: ShownGraph,
  outer: PlacedPhase,
  inner: PlacedPhase,
  look: Look,
  pixels: ToPixels,
): DrawnThing {
  const pen = createPen(look.widthOf);
  const frame = pixels(inner.box);
  const { footprint } = graph;
  const middle = frame.y + frame.height / 2;
  if (graph.tree.phases.get(inner.key)?.kind === 'replan') {
    const cell = footprint.cells.get(inner.mends ?? '');
    if (cell !== undefined) {
      const from = pixels(cell);
      // The arrow runs above the row, so that it crosses no card.
      const above = from.y - Math.max(2, (GAP.y * look.camera.scale) / 2);
      const [x0, x1] = [at(from.x + from.width * 0.7), at(frame.x - Math.max(5, (GAP.x * look.camera.scale) / 2))];
      pen.line(`M${x0} ${at(from.y)}V${at(above)}H${x1}V${at(middle)}H${at(frame.x - 1)}`, {
        stroke: 'accent',
        width: 2,
        dash: '5 3',
        arrow: true,
      });
    }
  } else {
    const planner = footprint.cells.get(inner.key);
    if (planner !== undefined) {
      const from = pixels(planner);
      if (from.x < frame.x)
        pen.line(`M${at(from.x + from.width)} ${at(middle)}H${at(frame.x)}`, { stroke: 'accent', width: 1.5 });
    }
    const inside = new Set(inner.cells);
    const target = outer.cells.find((id) => (graph.needs.get(id) ?? []).some((need) => inside.has(need)));
    const cell = target === undefined ? undefined : footprint.cells.get(target);
    if (cell !== undefined) {
      const to = pixels(cell);
      if (to.x > frame.x + frame.width)
        pen.line(
          `M${at(frame.x + frame.width)} ${at(middle)}H${at((frame.x + frame.width + to.x) / 2)}V${at(to.y + to.height / 2)}H${at(to.x)}`,
          {
            stroke: 'accent',
            width: 1.5,
          },
        );
    }
  }
  return pen.thing({ kind: 'lines', id: '', box: frame });
}

function putBundle(pen: ReturnType<typeof createPen>, { plain, untravelled, related }: PathBundle): void {
  const put = (paths: readonly string[], stroke: Paint, width: number, dash?: string): void => {
    if (paths.length > 0) pen.line(paths.join(''), { stroke, width, ...defined({ dash }) });
  };
  put(untravelled, 'edge', 1, '3 3');
  put(plain, 'line', 1);
  put(related, 'accent', 2.5);
}

function wholeOf(boxes: readonly Box[]): Box {
  const [x, y] = [Math.min(0, ...boxes.map((box) => box.x)), Math.min(0, ...boxes.map((box) => box.y))];
  const right = Math.max(0, ...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(0, ...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

function at(pixel: number): number {
  return Math.round(pixel * 10) / 10;
}
