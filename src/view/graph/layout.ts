// Where cards and bands lie: each band is laid out by itself, and is then one large card to what it stands in.

import { arrange, MOST_IN_COLUMN, type Placed } from './arrange.ts';
import { curve, turnaround } from './curve.ts';
import type { GraphEdge } from './export.ts';
import { type Box, CARD, edgeKey, type Point, type Size } from './geometry.ts';
import type { Scene } from './scene.ts';

interface Line extends Pick<GraphEdge, 'from' | 'to' | 'kind' | 'untravelled'> {
  readonly path: string;
  readonly box: Box;
}

export interface Layout {
  readonly boxes: ReadonlyMap<string, Box>;
  readonly lines: readonly Line[];
  readonly whole: Box;
}

/** Around what stands in a band. */
const BAND = { side: 18, top: 38, bottom: 18 } as const;
/** How far above a row the lines run that lead to it from rows before. */
const LANE = 36;

/** The band that each card and band stands in. */
type Within = ReadonlyMap<string, string | undefined>;
type Inside = ReadonlyMap<string | undefined, readonly string[]>;

export function layoutOf({ cards, edges, bands }: Scene): Layout {
  const within: Within = new Map([
    ...cards.map(({ id, band }) => [id, band] as const),
    ...bands.map(({ id, within: outer }) => [id, outer] as const),
  ]);
  const inside: Inside = Map.groupBy(within.keys(), (id) => within.get(id));
  const drawn = bundled(edges, inside, within);
  const links = Map.groupBy(lifted(drawn, within), ({ band }) => band);
  const sizes = new Map<string, Size>();
  const placed = new Map<string | undefined, Placed>();
  const boxes = new Map<string, Box>();

  /** Innermost first: how large a band is hangs on what stands in it. */
  function place(band: string | undefined): Placed {
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

/** Where what stands in a band begins. */
function cornerIn(boxes: ReadonlyMap<string, Box>, band: string | undefined): Point {
  const box = boxes.get(band ?? '');
  return box === undefined ? { x: 0, y: 0 } : { x: box.x + BAND.side, y: box.y + BAND.top };
}

/** Leads edges of members that stand in columns to their band: a line for each member would hide them. */
function bundled(edges: readonly GraphEdge[], inside: Inside, within: Within): readonly GraphEdge[] {
  const ordered = new Set(
    edges.map(({ from, to }) => (within.get(from) === within.get(to) ? within.get(from) : undefined)),
  );
  const isLoose = (band: string | undefined): band is string => {
    const members = inside.get(band) ?? [];
    const isGrid = members.length > MOST_IN_COLUMN && members.every((id) => !inside.has(id));
    return band !== undefined && !ordered.has(band) && (band.startsWith('items ') || isGrid);
  };
  const found = new Map<string, GraphEdge>();
  for (const edge of edges) {
    const [a, b] = [within.get(edge.from), within.get(edge.to)];
    const from = a !== b && isLoose(a) ? a : edge.from;
    const to = a !== b && isLoose(b) ? b : edge.to;
    const before = found.get(edgeKey(from, to));
    if (before === undefined || before.untravelled) found.set(edgeKey(from, to), { ...edge, from, to });
  }
  return [...found.values()];
}

interface Meeting {
  readonly band: string | undefined;
  readonly from: string;
  readonly to: string;
}

/** Edges as the band sees them in which both ends lie: between those of its members that hold the ends. */
function lifted(edges: readonly GraphEdge[], within: Within): readonly Meeting[] {
  return edges.map((edge) => meetingOf(edge, within)).filter(({ from, to }) => from !== to);
}

function meetingOf(edge: Pick<GraphEdge, 'from' | 'to'>, within: Within): Meeting {
  const [left, right] = [wayOut(edge.from, within), wayOut(edge.to, within)];
  while (left.length > 1 && right.length > 1 && left.at(-1) === right.at(-1)) {
    left.pop();
    right.pop();
  }
  const from = left.at(-1) ?? edge.from;
  return { band: within.get(from), from, to: right.at(-1) ?? edge.to };
}

/** Itself, the band around it, the one around that. */
function wayOut(id: string, within: Within): string[] {
  const way: string[] = [];
  for (let at: string | undefined = id; at !== undefined; at = within.get(at)) way.push(at);
  return way;
}
