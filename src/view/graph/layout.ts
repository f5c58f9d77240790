// Where cards and bands lie, from left to right: each band is laid out by itself, and is then one large card to what it stands in.
import { Graph, layout } from '@dagrejs/dagre';
import type { GraphEdge } from './export.ts';
import type { Scene } from './scene.ts';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Line extends Pick<GraphEdge, 'kind' | 'untravelled'> {
  readonly from: string;
  readonly to: string;
  readonly path: string;
  /** Where it is: what is off the screen is not drawn. */
  readonly box: Box;
}

export interface Layout {
  readonly boxes: ReadonlyMap<string, Box>;
  readonly lines: readonly Line[];
  readonly whole: Box;
}

export const CARD = { width: 196, height: 58 } as const;
const GAP = { node: 16, rank: 64 } as const;
const BAND = { side: 18, top: 38, bottom: 18 } as const;
/** Members without an order among them stand in columns once there are more. */
const MOST_IN_COLUMN = 8;

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Placed {
  readonly width: number;
  readonly height: number;
  /** From the corner of what they stand in. */
  readonly corners: ReadonlyMap<string, Point>;
  /** The ways of its edges, by `edgeKey`. */
  readonly ways: ReadonlyMap<string, readonly Point[]>;
}

export function layoutOf({ cards, edges, bands }: Scene): Layout {
  const bandOf = new Map<string, string | undefined>([
    ...cards.map(({ id, band }) => [id, band] as const),
    ...bands.map(({ id, within }) => [id, within] as const),
  ]);
  const inside: ReadonlyMap<string | undefined, readonly string[]> = Map.groupBy(bandOf.keys(), (id) => bandOf.get(id));
  const sizes = new Map<string, { readonly width: number; readonly height: number }>(cards.map(({ id }) => [id, CARD]));
  const placed = new Map<string | undefined, Placed>();
  const drawn = bundled(edges, inside, bandOf);
  const links = linksByBand(drawn, bandOf);

  function place(band: string | undefined): Placed {
    const members = inside.get(band) ?? [];
    for (const member of members) if (inside.has(member)) place(member);
    const at = arrange(members, sizes, links.get(band) ?? []);
    placed.set(band, at);
    if (band !== undefined)
      sizes.set(band, { width: at.width + 2 * BAND.side, height: at.height + BAND.top + BAND.bottom });
    return at;
  }

  const whole = place(undefined);
  const boxes = new Map<string, Box>();

  function settle(band: string | undefined, corner: Point): void {
    for (const [id, { x, y }] of placed.get(band)?.corners ?? []) {
      const box = { x: corner.x + x, y: corner.y + y, ...(sizes.get(id) ?? CARD) };
      boxes.set(id, box);
      if (inside.has(id)) settle(id, { x: box.x + BAND.side, y: box.y + BAND.top });
    }
  }

  settle(undefined, { x: 0, y: 0 });
  return {
    boxes,
    lines: drawn.flatMap((edge) => {
      const [from, to] = [boxes.get(edge.from), boxes.get(edge.to)];
      if (from === undefined || to === undefined) return [];
      const way = wayAround(edge, bandOf, placed, boxes);
      return [{ ...edge, ...curve(from, to, way) }];
    }),
    whole: { x: 0, y: 0, width: whole.width, height: whole.height },
  };
}

/** What goes in or out of a band whose members stand in columns goes to the band: a line for each would hide them. */
function bundled(
  edges: readonly GraphEdge[],
  inside: ReadonlyMap<string | undefined, readonly string[]>,
  bandOf: ReadonlyMap<string, string | undefined>,
): readonly GraphEdge[] {
  const ordered = new Set(
    edges.map(({ from, to }) => (bandOf.get(from) === bandOf.get(to) ? bandOf.get(from) : undefined)),
  );
  const loose = (band: string | undefined): band is string => {
    const members = inside.get(band) ?? [];
    return band !== undefined && !ordered.has(band) && (band.startsWith('items ') || isGrid(members, inside));
  };
  const found = new Map<string, GraphEdge>();
  for (const edge of edges) {
    const [a, b] = [bandOf.get(edge.from), bandOf.get(edge.to)];
    const from = a !== b && loose(a) ? a : edge.from;
    const to = a !== b && loose(b) ? b : edge.to;
    const before = found.get(edgeKey(from, to));
    if (before === undefined || before.untravelled) found.set(edgeKey(from, to), { ...edge, from, to });
  }
  return [...found.values()];
}

/** There are too many for a column. */
function isGrid(members: readonly string[], inside: ReadonlyMap<string | undefined, readonly string[]>): boolean {
  return members.length > MOST_IN_COLUMN && members.every((id) => !inside.has(id));
}

/** The edges between members of each band, ends that lie deeper lifted up to them. */
function linksByBand(
  edges: readonly GraphEdge[],
  bandOf: ReadonlyMap<string, string | undefined>,
): ReadonlyMap<string | undefined, readonly GraphEdge[]> {
  const links = new Map<string | undefined, GraphEdge[]>();
  for (const edge of edges) {
    const { band, from, to } = meetingOf(edge, bandOf);
    if (from === to) continue;
    const list = links.get(band);
    if (list === undefined) links.set(band, [{ ...edge, from, to }]);
    else list.push({ ...edge, from, to });
  }
  return links;
}

/** The innermost band that holds both ends, and the members of it that they lie in. */
function meetingOf(edge: GraphEdge, bandOf: ReadonlyMap<string, string | undefined>) {
  const [left, right] = [wayOut(edge.from, bandOf), wayOut(edge.to, bandOf)];
  while (left.length > 1 && right.length > 1 && left.at(-1) === right.at(-1)) {
    left.pop();
    right.pop();
  }
  const from = left.at(-1) ?? edge.from;
  return { band: bandOf.get(from), from, to: right.at(-1) ?? edge.to };
}

/** Itself, the band around it, the one around that. */
function wayOut(id: string, bandOf: ReadonlyMap<string, string | undefined>): string[] {
  const way: string[] = [];
  for (let at: string | undefined = id; at !== undefined; at = bandOf.get(at)) way.push(at);
  return way;
}

function arrange(
  members: readonly string[],
  sizes: ReadonlyMap<string, { readonly width: number; readonly height: number }>,
  links: readonly GraphEdge[],
): Placed {
  if (links.length === 0 && members.length > MOST_IN_COLUMN && members.every((id) => sizes.get(id) === CARD))
    return grid(members);
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: GAP.node, ranksep: GAP.rank, edgesep: 10 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const id of members) graph.setNode(id, { ...(sizes.get(id) ?? CARD) });
  for (const { from, to } of links) graph.setEdge(from, to);
  if (members.length === 0) return { width: 0, height: 0, corners: new Map(), ways: new Map() };
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width,
    height,
    corners: new Map(
      members.map((id) => {
        const { x = 0, y = 0, width: w = 0, height: h = 0 } = graph.node(id);
        return [id, { x: x - w / 2, y: y - h / 2 }];
      }),
    ),
    ways: new Map(links.map(({ from, to }) => [edgeKey(from, to), graph.edge(from, to)?.points ?? []])),
  };
}

function grid(members: readonly string[]): Placed {
  const columns = Math.ceil(Math.sqrt(members.length / 4));
  const [across, down] = [CARD.width + GAP.node, CARD.height + GAP.node];
  const rows = Math.ceil(members.length / columns);
  return {
    width: columns * across - GAP.node,
    height: rows * down - GAP.node,
    corners: new Map(
      members.map((id, place) => [id, { x: (place % columns) * across, y: Math.floor(place / columns) * down }]),
    ),
    ways: new Map(),
  };
}

function edgeKey(from: string, to: string): string {
  return `${from} → ${to}`;
}

/** Where an edge between neighbours of one band was led around others; nothing for one that leads in or out. */
function wayAround(
  edge: GraphEdge,
  bandOf: ReadonlyMap<string, string | undefined>,
  placed: ReadonlyMap<string | undefined, Placed>,
  boxes: ReadonlyMap<string, Box>,
): readonly Point[] {
  const band = bandOf.get(edge.from);
  if (band !== bandOf.get(edge.to)) return [];
  const around = band === undefined ? undefined : boxes.get(band);
  const [x, y] = around === undefined ? [0, 0] : [around.x + BAND.side, around.y + BAND.top];
  const way = placed.get(band)?.ways.get(edgeKey(edge.from, edge.to)) ?? [];
  return way.slice(1, -1).map((point) => ({ x: point.x + x, y: point.y + y }));
}

/** From the right side of one to the left of the other, through what lies between. */
function curve(from: Box, to: Box, way: readonly Point[]): Pick<Line, 'path' | 'box'> {
  const start = { x: from.x + from.width, y: from.y + from.height / 2 };
  const end = { x: to.x, y: to.y + to.height / 2 };
  const points = [start, ...(way.length > 1 ? way : []), end];
  const parts = points.slice(1).map((point, index) => {
    const before = points[index] ?? start;
    const bend = Math.max(24, Math.abs(point.x - before.x) / 2);
    return `C${round(before.x + bend)} ${round(before.y)} ${round(point.x - bend)} ${round(point.y)} ${round(point.x)} ${round(point.y)}`;
  });
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs) - 24, Math.min(...ys)];
  return {
    path: `M${round(start.x)} ${round(start.y)}${parts.join('')}`,
    box: { x: left, y: top, width: Math.max(...xs) + 24 - left, height: Math.max(...ys) - top },
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
