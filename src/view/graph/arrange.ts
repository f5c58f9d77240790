// Arranges the members of one band: from left to right in their order, in columns without an order, in rows if too long.
import { Graph, layout } from '@dagrejs/dagre';
import { generationsOf } from '../../graph/generations.ts';
import type { GraphEdge } from './export.ts';
import { CARD, edgeKey, type Point, type Size } from './geometry.ts';

export interface Arrangement extends Size {
  /** Relative to the corner of the band. */
  readonly corners: ReadonlyMap<string, Point>;
  /** The points of edges that are led around cards, by `edgeKey`. */
  readonly ways: ReadonlyMap<string, readonly Point[]>;
  /** If there are rows: the top of each member's row. */
  readonly lanes: ReadonlyMap<string, number>;
}

const GAP = { node: 16, rank: 64, row: 72 } as const;
/** More members without an order stand in columns. */
export const MOST_IN_COLUMN = 8;
/** A graph whose width exceeds this multiple of its height is broken into rows, which together have the ratio `SHAPE`. */
const TOO_LONG = 4;
/** A row of this width fits on a screen. */
const SHORT = 2_000;
const SHAPE = 2.4;

type Links = readonly Pick<GraphEdge, 'from' | 'to'>[];

export function arrange(members: readonly string[], sizeOf: (id: string) => Size, links: Links): Arrangement {
  if (members.length === 0) return { width: 0, height: 0, corners: new Map(), ways: new Map(), lanes: new Map() };
  if (links.length === 0 && members.length > MOST_IN_COLUMN && members.every((id) => sizeOf(id) === CARD))
    return grid(members);
  const rows = rowsOf(members, sizeOf, links);
  const [only] = rows;
  return only !== undefined && rows.length === 1 ? inOrder(only, sizeOf, links) : stacked(rows, sizeOf, links);
}

function inOrder(members: readonly string[], sizeOf: (id: string) => Size, links: Links): Arrangement {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: GAP.node, ranksep: GAP.rank, edgesep: 10 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const id of members) graph.setNode(id, { ...sizeOf(id) });
  const own = links.filter(({ from, to }) => graph.hasNode(from) && graph.hasNode(to));
  for (const { from, to } of own) graph.setEdge(from, to);
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  const corners = members.map((id) => {
    const { x = 0, y = 0, width: across = 0, height: down = 0 } = graph.node(id);
    return [id, { x: x - across / 2, y: y - down / 2 }] as const;
  });
  const ways = own.map(
    ({ from, to }) => [edgeKey(from, to), (graph.edge(from, to)?.points ?? []).slice(1, -1)] as const,
  );
  return { width, height, corners: new Map(corners), ways: new Map(ways), lanes: new Map() };
}

function grid(members: readonly string[]): Arrangement {
  const columns = Math.ceil(Math.sqrt(members.length / 4));
  const [across, down] = [CARD.width + GAP.node, CARD.height + GAP.node];
  return {
    width: columns * across - GAP.node,
    height: Math.ceil(members.length / columns) * down - GAP.node,
    corners: new Map(
      members.map((id, place) => [id, { x: (place % columns) * across, y: Math.floor(place / columns) * down }]),
    ),
    ways: new Map(),
    lanes: new Map(),
  };
}

function stacked(rows: readonly (readonly string[])[], sizeOf: (id: string) => Size, links: Links): Arrangement {
  const [corners, ways, lanes] = [
    new Map<string, Point>(),
    new Map<string, readonly Point[]>(),
    new Map<string, number>(),
  ];
  let [width, y] = [0, 0];
  for (const members of rows) {
    const row = inOrder(members, sizeOf, links);
    for (const [id, corner] of row.corners) {
      corners.set(id, { x: corner.x, y: corner.y + y });
      lanes.set(id, y);
    }
    for (const [key, way] of row.ways)
      ways.set(
        key,
        way.map((point) => ({ x: point.x, y: point.y + y })),
      );
    width = Math.max(width, row.width);
    y += row.height + GAP.row;
  }
  return { width, height: y - GAP.row, corners, ways, lanes };
}

/** One row, or as many as give the whole the ratio `SHAPE`. */
function rowsOf(
  members: readonly string[],
  sizeOf: (id: string) => Size,
  links: Links,
): readonly (readonly string[])[] {
  const columns = columnsOf(members, links);
  const widths = columns.map((column) => Math.max(...column.map((id) => sizeOf(id).width)) + GAP.rank);
  const heights = columns.map((column) => column.reduce((sum, id) => sum + sizeOf(id).height + GAP.node, 0));
  const width = widths.reduce((sum, each) => sum + each, 0);
  const height = Math.max(...heights) + GAP.row;
  if (width < SHORT || width < TOO_LONG * height) return [members];
  const most = width / Math.sqrt(width / (SHAPE * height));
  const rows: string[][] = [];
  let left = 0;
  columns.forEach((column, place) => {
    const across = widths[place] ?? 0;
    if (rows.length === 0 || left < across) {
      rows.push([]);
      left = most;
    }
    rows.at(-1)?.push(...column);
    left -= across;
  });
  return rows;
}

/** Each member stands behind its latest dependency; a graph with a cycle has one column. */
function columnsOf(members: readonly string[], links: Links): readonly (readonly string[])[] {
  const after = Map.groupBy(links, ({ from }) => from);
  const generations = generationsOf(members, (id) => (after.get(id) ?? []).map(({ to }) => to));
  if (generations.size < members.length) return [members];
  return [...Map.groupBy(generations.keys(), (id) => generations.get(id)).values()];
}
