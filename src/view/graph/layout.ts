// The layout of a graph: each band is laid out by itself, and is then one large card in the band around it.
import { type Arrangement, arrange, MOST_IN_COLUMN } from './arrange.ts';
import { type GraphEdge, mergedEdges } from './export.ts';
import { type Box, bandsAround, CARD, edgeKey, type Point, type Size, type SurroundingBands } from './geometry.ts';
import type { Scene } from './scene.ts';

/** The line of an edge, from the right side of one box to the left side of another. */
interface EdgeLine {
  /** The `d` of an SVG path. */
  readonly path: string;
  /** The surrounding box: lines off the screen are not drawn. */
  readonly box: Box;
}

export interface Layout {
  readonly boxes: ReadonlyMap<string, Box>;
  readonly lines: readonly (GraphEdge & EdgeLine)[];
  readonly whole: Box;
}

/** The margins inside a band. */
const BAND = { side: 18, top: 38, bottom: 18 } as const;
/** The height of the lane above a row, for lines from earlier rows. */
const LANE = 36;
const LEAST_BEND = 24;
/** The distance between a box and the vertical part of a line between rows. */
const ASIDE = 28;

/** The cards and bands directly inside each band. */
type BandMembers = ReadonlyMap<string | undefined, readonly string[]>;

export function layoutOf({ cards, edges, bands }: Scene): Layout {
  const within: SurroundingBands = new Map([
    ...cards.map(({ id, band }) => [id, band] as const),
    ...bands.map(({ id, within: outer }) => [id, outer] as const),
  ]);
  const inside: BandMembers = Map.groupBy(within.keys(), (id) => within.get(id));
  const drawn = bundled(edges, inside, within);
  const links = Map.groupBy(bandEdges(drawn, within), ({ band }) => band);
  const sizes = new Map<string, Size>();
  const placed = new Map<string | undefined, Arrangement>();
  const boxes = new Map<string, Box>();

  /** Places the innermost bands first, because the size of a band depends on its members. */
  function place(band: string | undefined): Arrangement {
    const members = inside.get(band) ?? [];
    for (const member of members) {
      if (!inside.has(member)) continue;
      const { width, height } = place(member);
      sizes.set(member, { width: width + 2 * BAND.side, height: height + BAND.top + BAND.bottom });
    }
    const at = arrange(members, (id) => sizes.get(id) ?? CARD, links.get(band) ?? []);
    placed.set(band, at);
    return at;
  }

  function settle(band: string | undefined, corner: Point): void {
    for (const [id, { x, y }] of placed.get(band)?.corners ?? []) {
      boxes.set(id, { x: corner.x + x, y: corner.y + y, ...(sizes.get(id) ?? CARD) });
      if (inside.has(id)) settle(id, cornerIn(boxes, id));
    }
  }

  const { width, height } = place(undefined);
  settle(undefined, { x: 0, y: 0 });
  const lines = drawn.flatMap((edge) => {
    const [from, to] = [boxes.get(edge.from), boxes.get(edge.to)];
    if (from === undefined || to === undefined) return [];
    const meeting = meetingOf(edge, within);
    const { x, y } = cornerIn(boxes, meeting.band);
    const at = placed.get(meeting.band);
    const lane = at?.lanes.get(meeting.to);
    if (lane !== undefined && lane !== at?.lanes.get(meeting.from))
      return [{ ...edge, ...turnaround(from, to, y + lane - LANE) }];
    const isDirect = meeting.from === edge.from && meeting.to === edge.to;
    const way = (isDirect ? at?.ways.get(edgeKey(edge.from, edge.to)) : undefined) ?? [];
    return [
      {
        ...edge,
        ...curve(
          from,
          to,
          way.map((point) => ({ x: point.x + x, y: point.y + y })),
        ),
      },
    ];
  });
  return { boxes, lines, whole: { x: 0, y: 0, width, height } };
}

/** The place of a band's first member. */
function cornerIn(boxes: ReadonlyMap<string, Box>, band: string | undefined): Point {
  const box = boxes.get(band ?? '');
  return box === undefined ? { x: 0, y: 0 } : { x: box.x + BAND.side, y: box.y + BAND.top };
}

/** Leads edges of members that stand in columns to their band: a line for each member would hide them. */
function bundled(edges: readonly GraphEdge[], inside: BandMembers, within: SurroundingBands): readonly GraphEdge[] {
  const ordered = new Set(
    edges.map(({ from, to }) => (within.get(from) === within.get(to) ? within.get(from) : undefined)),
  );
  const isLoose = (band: string | undefined): band is string => {
    const members = inside.get(band) ?? [];
    const isGrid = members.length > MOST_IN_COLUMN && members.every((id) => !inside.has(id));
    return band !== undefined && !ordered.has(band) && (band.startsWith('items ') || isGrid);
  };
  return mergedEdges(
    edges.map((edge) => {
      const [a, b] = [within.get(edge.from), within.get(edge.to)];
      return { ...edge, from: a !== b && isLoose(a) ? a : edge.from, to: a !== b && isLoose(b) ? b : edge.to };
    }),
  );
}

/** An edge as the innermost band around both of its ends sees it: an edge between two members. */
interface BandEdge {
  readonly band: string | undefined;
  readonly from: string;
  readonly to: string;
}

function bandEdges(edges: readonly GraphEdge[], within: SurroundingBands): readonly BandEdge[] {
  return edges.map((edge) => meetingOf(edge, within)).filter(({ from, to }) => from !== to);
}

function meetingOf(edge: Pick<GraphEdge, 'from' | 'to'>, within: SurroundingBands): BandEdge {
  const [left, right] = [bandsAround(within, edge.from), bandsAround(within, edge.to)];
  while (left.length > 1 && right.length > 1 && left.at(-1) === right.at(-1)) {
    left.pop();
    right.pop();
  }
  const from = left.at(-1) ?? edge.from;
  return { band: within.get(from), from, to: right.at(-1) ?? edge.to };
}

/** A curve through the given points. */
function curve(from: Box, to: Box, way: readonly Point[]): EdgeLine {
  const points = [startOf(from), ...(way.length > 1 ? way : []), endOf(to)];
  const parts = points.slice(1).map((point, index) => {
    const before = points[index] ?? point;
    const bend = Math.max(LEAST_BEND, Math.abs(point.x - before.x) / 2);
    return `C${at(before.x + bend, before.y)} ${at(point.x - bend, point.y)} ${at(point.x, point.y)}`;
  });
  const [start = startOf(from)] = points;
  return { path: `M${at(start.x, start.y)}${parts.join('')}`, box: around(points) };
}

/** A line from one row to a later row, along the lane above that row. */
function turnaround(from: Box, to: Box, lane: number): EdgeLine {
  const [start, end] = [startOf(from), endOf(to)];
  const [out, back] = [start.x + ASIDE, end.x - ASIDE];
  const points = [start, { x: out, y: start.y }, { x: out, y: lane }, { x: back, y: lane }, { x: back, y: end.y }, end];
  return { path: `M${points.map(({ x, y }) => at(x, y)).join('L')}`, box: around(points) };
}

function startOf({ x, y, width, height }: Box): Point {
  return { x: x + width, y: y + height / 2 };
}

function endOf({ x, y, height }: Box): Point {
  return { x, y: y + height / 2 };
}

function around(points: readonly Point[]): Box {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs) - LEAST_BEND, Math.min(...ys)];
  return { x: left, y: top, width: Math.max(...xs) + LEAST_BEND - left, height: Math.max(...ys) - top };
}

function at(x: number, y: number): string {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
}
