// Lays out the chain of a run like text: blocks from left to right in rows, at the largest scale that fits the view.
import { defined } from '../../../base/json.ts';
import type { Box, Size } from '../geometry.ts';
import { chainParts, type Part } from './chain-parts.ts';
import { estimatedWidth } from './display-list.ts';
import {
  type Footprint,
  GAP,
  type Outline,
  type PhasePlan,
  PITCH,
  type PlacedPart,
  type PlacedPhase,
  STEP,
} from './footprint.ts';
import { createPhasePlanner, type PlanPhase } from './phase-plan.ts';
import { planRows } from './row-plan.ts';

/** Lengths on the screen, in pixels. They become units by division by the scale. */
interface Measures {
  readonly head: number;
  readonly block: Size;
  /** Room for the title: at most this width, and this width for what stands beside it. */
  readonly title: { readonly most: number; readonly beside: number };
  readonly gap: Size;
  readonly station: Size;
}

/** With more phases the blocks are smaller. */
const MANY_PHASES = 40;
const few: Measures = {
  head: 54,
  block: { width: 92, height: 60 },
  title: { most: 136, beside: 46 },
  gap: { width: 20, height: 26 },
  station: { width: 98, height: 30 },
};
const many: Measures = {
  head: 34,
  block: { width: 82, height: 56 },
  title: { most: 100, beside: 12 },
  gap: { width: 14, height: 16 },
  station: { width: 82, height: 20 },
};
/** Free space around the whole. */
const AROUND = { width: 44, height: 72 } as const;
const LEAST_SCALE = 0.015;
/** A group of at most so many steps has cards that can be read in the whole picture. */
const MOST_STATIONS = 12;
const TURNS = 18;
/** Below this scale phases are blocks, without headers above their steps. */
const FAR = 0.15;

/** A block with its size at one scale. */
interface Block extends Size {
  readonly part: Part;
  readonly index: number;
  readonly plan?: PhasePlan;
  readonly head: number;
  /** Places of single steps, relative to the corner of the block. */
  readonly stations: readonly (Box & { readonly id: string })[];
  readonly stacked?: true;
}

/** Blocks of one generation, below each other or in a few columns. */
interface Cluster extends Size {
  readonly places: readonly { readonly block: Block; readonly x: number; readonly y: number }[];
}

interface Wrapped extends Size {
  readonly rows: readonly (readonly Cluster[])[];
  readonly scale: number;
  readonly gap: Size;
}

export function layoutRun(outline: Outline, view: Size): Footprint {
  const parts = chainParts(outline);
  const planner = createPhasePlanner(outline);
  const measures = parts.filter(({ kind }) => kind !== 'steps').length > MANY_PHASES ? many : few;
  const at = (scale: number): Wrapped =>
    wrapped(clustersAt(outline, parts, planner, measures, scale), view, measures, scale);
  let scale = 0.3;
  let best = at(scale);
  for (let turn = 1; turn < TURNS && Math.abs(best.scale - scale) > 0.002 * scale; turn++) {
    scale = Math.min(1, (scale + best.scale) / 2);
    if (scale < LEAST_SCALE) break;
    best = at(scale);
  }
  const least = leastScale(best, measures);
  if (best.scale >= least) return footprintOf(best, parts, Math.min(1, best.scale));
  // Blocks keep their size: the whole is higher than the view.
  const clusters = clustersAt(outline, parts, planner, measures, least);
  return footprintOf(
    inRows(clusters, (view.width - AROUND.width) / least, gapAt(measures, least), least),
    parts,
    least,
  );
}

/** Below this scale blocks would be much larger than their content. */
function leastScale({ rows }: Wrapped, { block }: Measures): number {
  const widths = rows
    .flat()
    .flatMap(({ places }) => places.map(({ block: { plan } }) => plan?.width ?? 0))
    .filter((width) => width > 0)
    .toSorted((a, b) => a - b);
  const middle = widths[Math.floor(widths.length / 2)] ?? 0;
  return middle === 0 ? LEAST_SCALE : Math.max(LEAST_SCALE, Math.min(0.2, (0.15 * block.width) / middle));
}

function gapAt({ gap }: Measures, scale: number): Size {
  return { width: Math.max(24, gap.width / scale), height: Math.max(30, gap.height / scale) };
}

function clustersAt(
  outline: Outline,
  parts: readonly Part[],
  planner: PlanPhase,
  measures: Measures,
  scale: number,
): readonly Cluster[] {
  const blocks = parts.map((part, index) => blockAt(outline, part, index, planner, measures, scale, parts.length));
  const gap = gapAt(measures, scale).height;
  return [...Map.groupBy(blocks, ({ part }) => part.generation).values()].map((group) => clusterOf(group, gap));
}

function blockAt(
  outline: Outline,
  part: Part,
  index: number,
  planner: PlanPhase,
  { head: headOf, block, title, station }: Measures,
  scale: number,
  parts: number,
): Block {
  const head = Math.max(44, headOf / Math.max(scale, FAR));
  const least = {
    width: Math.max(block.width, headerWidth(outline, part, title)) / scale,
    height: block.height / scale,
  };
  if (part.kind === 'fold') return { part, index, head, stations: [], width: least.width * 1.3, height: least.height };
  if (part.kind === 'steps') return stationsAt(outline, part, index, station, scale, parts);
  const plan = planner(part.key, nestedHead(scale));
  return {
    part,
    index,
    plan,
    head,
    stations: [],
    width: Math.max(plan.width, least.width),
    height: Math.max(plan.cells.length === 0 ? 0 : plan.height + head, least.height),
  };
}

/** In steps, so that plans can be kept while the scale is searched. */
function nestedHead(scale: number): number {
  return Math.max(26, Math.ceil(17 / Math.max(scale, FAR) / 4) * 4);
}

/** The width in pixels at which number, title and mark of a phase can be read. */
function headerWidth({ tree }: Outline, { key }: Part, { most, beside }: Measures['title']): number {
  const { number, title } = tree.phases.get(key) ?? { title: '' };
  return Math.min(most, beside + estimatedWidth(`${number ?? ''} ${title.slice(0, 12)}`, 10, true));
}

/** A few single steps have larger cards; a line of them stands from top to bottom. */
function stationsAt({ needs }: Outline, part: Part, index: number, station: Size, scale: number, parts: number): Block {
  const { members } = part;
  const isLarge = members.length <= MOST_STATIONS;
  const width = isLarge ? Math.max(STEP.width, station.width / scale) : STEP.width;
  const height = isLarge ? Math.max(STEP.height, station.height / scale) : STEP.height;
  const isLine = members.every((id, at) => {
    const inside = (needs.get(id) ?? []).filter((need) => members.includes(need));
    return at === 0 ? inside.length === 0 : inside.length === 1 && inside[0] === members[at - 1];
  });
  if (isLine && (members.length === 1 || (parts > 1 && members.length <= 4))) {
    const stations = members.map((id, at) => ({ id, x: 0, y: at * height * 1.5, width, height }));
    return {
      part,
      index,
      head: 0,
      stations,
      stacked: true,
      width,
      height: (members.length - 1) * height * 1.5 + height,
    };
  }
  const plan = planRows(members, (id) => needs.get(id) ?? []);
  const stations = [...plan.places].map(([id, { x, row }]) => ({
    id,
    x: (x / PITCH.x) * (width + GAP.x * 2),
    y: row * (height + GAP.y),
    width,
    height,
  }));
  const right = Math.max(...stations.map(({ x }) => x + width));
  return { part, index, head: 0, stations, width: right, height: plan.rows * (height + GAP.y) - GAP.y };
}

/** One column, or several where the blocks are many. */
function clusterOf(blocks: readonly Block[], gap: number): Cluster {
  const total = blocks.reduce((sum, { height }) => sum + height + gap, -gap);
  const wide = Math.max(...blocks.map(({ width }) => width));
  const columns = blocks.length <= 4 ? 1 : Math.max(1, Math.round(Math.sqrt((total * 1.6) / wide)));
  const most = Math.ceil(blocks.length / columns);
  const places: { block: Block; x: number; y: number }[] = [];
  let [x, y, right, bottom] = [0, 0, 0, 0];
  blocks.forEach((block, at) => {
    if (at > 0 && at % most === 0) {
      x = right + gap;
      y = 0;
    }
    places.push({ block, x, y });
    y += block.height + gap;
    right = Math.max(right, x + block.width);
    bottom = Math.max(bottom, y - gap);
  });
  return { places, width: right, height: bottom };
}

/** Tries every number of rows, and keeps the one with the largest scale. */
function wrapped(clusters: readonly Cluster[], view: Size, measures: Measures, scale: number): Wrapped {
  const gap = gapAt(measures, scale);
  const widest = Math.max(0, ...clusters.map(({ width }) => width));
  const sum = clusters.reduce((all, { width }) => all + width + gap.width, 0);
  let best: Wrapped | undefined;
  for (let count = 1; count <= Math.max(1, clusters.length); count++) {
    const rows = inRows(clusters, Math.max(widest, (sum / count) * 1.02 + gap.width), gap, scale);
    const fit = Math.min((view.width - AROUND.width) / rows.width, (view.height - AROUND.height) / rows.height);
    if (best === undefined || fit > best.scale * 1.001) best = { ...rows, scale: fit };
    // More rows make the whole higher, never lower.
    else if ((view.height - AROUND.height) / rows.height < best.scale * 0.5) break;
  }
  return best ?? { rows: [], scale: 1, gap, width: 1, height: 1 };
}

function inRows(clusters: readonly Cluster[], limit: number, gap: Size, scale: number): Wrapped {
  const rows: Cluster[][] = [];
  let x = 0;
  for (const cluster of clusters) {
    const row = rows.at(-1);
    if (row === undefined || x + cluster.width > limit) {
      rows.push([cluster]);
      x = 0;
    } else row.push(cluster);
    x += cluster.width + gap.width;
  }
  const across = rows.map((row) => row.reduce((sum, { width }) => sum + width + gap.width, -gap.width));
  const down = rows.map((row) => Math.max(...row.map(({ height }) => height)) + gap.height);
  return {
    rows,
    gap,
    scale,
    width: Math.max(1, ...across),
    height: Math.max(
      1,
      down.reduce((sum, each) => sum + each, -gap.height),
    ),
  };
}

function footprintOf({ rows, gap, width, height }: Wrapped, parts: readonly Part[], fit: number): Footprint {
  const cells = new Map<string, Box>();
  const phases = new Map<string, PlacedPhase>();
  const placed: PlacedPart[] = [];
  const lines: { y: number; height: number }[] = [];
  let y = 0;
  rows.forEach((row, at) => {
    const high = Math.max(...row.map((cluster) => cluster.height));
    let x = 0;
    for (const cluster of row) {
      for (const { block, x: left, y: top } of cluster.places) {
        const { part, plan, head, stations, stacked } = block;
        const box: Box = { x: x + left, y: y + top, width: block.width, height: block.height };
        const { kind, key, members } = part;
        placed[block.index] = { kind, key, members, box, row: at, ...(stacked ? { stacked } : {}) };
        for (const { id, ...cell } of stations) cells.set(id, { ...cell, x: box.x + cell.x, y: box.y + cell.y });
        if (plan !== undefined) placePhase(plan, box, head, nestedHead(fit), 0, undefined, cells, phases);
      }
      x += cluster.width + gap.width;
    }
    lines.push({ y, height: high });
    y += high + gap.height;
  });
  const links = parts.flatMap(({ needs }, to) => needs.map((from) => [from, to] as const));
  return { fit, width, height, parts: placed, rows: lines, rowGap: gap.height, cells, phases, links };
}

function placePhase(
  { key, cells: own, inside }: PhasePlan,
  box: Box,
  head: number,
  nestedHead: number,
  depth: number,
  mends: string | undefined,
  cells: Map<string, Box>,
  phases: Map<string, PlacedPhase>,
): void {
  const top = box.y + head;
  phases.set(key, {
    key,
    box,
    depth,
    head,
    cells: own.map(({ id }) => id),
    inside: inside.map(({ plan }) => plan.key),
    ...defined({ mends }),
  });
  for (const { id, x, y } of own) cells.set(id, { x: box.x + x, y: top + y, ...STEP });
  for (const { plan, x, y, mends: replaced } of inside) {
    const frame = { x: box.x + x, y: top + y, width: plan.width, height: plan.height + nestedHead };
    placePhase(plan, frame, nestedHead, nestedHead, depth + 1, replaced, cells, phases);
  }
}
