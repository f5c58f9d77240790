// The drawing of a graph: steps as cards in bands by phase and fan-out, and one card for each folded band.
import { counted } from '../../base/counted.ts';
import type { StepStatus } from '../../engine/state/state.ts';
import { countsText, localName, worstOf } from '../status.ts';
import { type GraphEdge, type GraphNode, mergedEdges, type RunGraph, workText } from './export.ts';
import { bandsAround, type SurroundingBands } from './geometry.ts';

/** A step, or a folded band with all of its steps. */
export interface Card {
  readonly id: string;
  readonly title: string;
  readonly work: string;
  readonly status: StepStatus;
  readonly text: string;
  /** The innermost band around it. */
  readonly band: string | undefined;
  readonly planning: boolean;
  readonly grafted: boolean;
  /** The number of steps: 1, or more for a folded band. */
  readonly holds: number;
}

export interface Band {
  readonly id: string;
  readonly kind: 'phase' | 'items';
  readonly title: string;
  readonly within: string | undefined;
  readonly counts: string;
  readonly steps: number;
}

export interface Scene {
  readonly cards: readonly Card[];
  readonly edges: readonly GraphEdge[];
  readonly bands: readonly Band[];
  /** The card that stands for each step. */
  readonly cardOf: ReadonlyMap<string, string>;
}

/** In a graph with more cards, phases are folded. */
const MOST_CARDS = 1_500;
/** A fan-out with more items is folded. */
const MOST_ITEMS = 20;

interface Member {
  readonly node: GraphNode;
  /** Innermost first. */
  readonly bands: readonly string[];
}

/** `turned`: bands that a person has folded or unfolded. */
export function sceneOf(graph: RunGraph, turned: ReadonlyMap<string, boolean>): Scene {
  const within = bandsWithin(graph);
  const members = graph.nodes.map((node): Member => ({ node, bands: bandsAround(within, bandOf(node)) }));
  const sizes = new Map<string, GraphNode[]>();
  for (const { node, bands } of members) for (const band of bands) push(sizes, band, node);
  const folded = foldedBands(graph, sizes, turned);
  const cardOf = new Map<string, string>();
  const cards = new Map<string, Card>();
  for (const { node, bands } of members) {
    const outermost = bands.findLast((band) => folded.has(band));
    const card =
      outermost === undefined ? cardFor(node, bands[0]) : foldedCard(outermost, within, sizes.get(outermost) ?? []);
    cardOf.set(node.id, card.id);
    if (!cards.has(card.id)) cards.set(card.id, card);
  }
  const open = [...sizes].filter(([band]) => !bandsAround(within, band).some((each) => folded.has(each)));
  return {
    cards: [...cards.values()],
    edges: edgesBetween(graph.edges, cardOf),
    bands: open.map(([band, nodes]) => bandFor(band, within.get(band), nodes)),
    cardOf,
  };
}

/** The band around each band. */
function bandsWithin({ phases, fanOuts }: RunGraph): SurroundingBands {
  const phase = (planner: string | undefined): string | undefined => planner && `phase ${planner}`;
  return new Map([
    ...phases.map(({ planner, within }) => [`phase ${planner}`, phase(within)] as const),
    ...fanOuts.map(({ step, within }) => [`items ${step}`, phase(within)] as const),
  ]);
}

function bandOf({ phase, fanOut }: GraphNode): string | undefined {
  return fanOut === undefined ? phase && `phase ${phase}` : `items ${fanOut}`;
}

/** Folds bands as a person chose, and by itself wide fan-outs, and the largest phases of a graph that is too large. */
function foldedBands(
  { nodes }: RunGraph,
  sizes: ReadonlyMap<string, readonly GraphNode[]>,
  turned: ReadonlyMap<string, boolean>,
): ReadonlySet<string> {
  const folded = new Set<string>();
  let left = nodes.length;
  for (const [band, inside] of sizes) {
    if (turned.get(band) ?? (band.startsWith('items ') && inside.length > MOST_ITEMS)) {
      folded.add(band);
      left -= inside.length - 1;
    }
  }
  for (const [band, inside] of [...sizes].sort(([, a], [, b]) => b.length - a.length)) {
    if (left <= MOST_CARDS) break;
    if (folded.has(band) || turned.has(band)) continue;
    folded.add(band);
    left -= inside.length - 1;
  }
  return folded;
}

function cardFor(node: GraphNode, band: string | undefined): Card {
  return {
    id: node.id,
    title: node.fanOut === undefined ? node.name : `item ${node.name}`,
    work: workText(node),
    status: node.status,
    text: node.text,
    band,
    planning: node.type === 'planning',
    grafted: node.phase !== undefined,
    holds: 1,
  };
}

function foldedCard(band: string, within: SurroundingBands, nodes: readonly GraphNode[]): Card {
  const statuses = nodes.map(({ status }) => status);
  return {
    id: band,
    title: titleOf(band),
    work: counted(nodes.length, band.startsWith('items ') ? 'item' : 'step'),
    status: worstOf(statuses),
    text: countsText(statuses),
    band: within.get(band),
    planning: false,
    grafted: true,
    holds: nodes.length,
  };
}

function bandFor(id: string, within: string | undefined, nodes: readonly GraphNode[]): Band {
  return {
    id,
    kind: id.startsWith('items ') ? 'items' : 'phase',
    title: titleOf(id),
    within,
    counts: countsText(nodes.map(({ status }) => status)),
    steps: nodes.length,
  };
}

/** `grafted by plan_recon`, `items of profile` */
function titleOf(band: string): string {
  const of = localName(band.slice(band.indexOf(' ') + 1));
  return band.startsWith('items ') ? `items of ${of}` : `grafted by ${of}`;
}

function edgesBetween(edges: readonly GraphEdge[], cardOf: ReadonlyMap<string, string>): readonly GraphEdge[] {
  return mergedEdges(
    edges.flatMap((edge) => {
      const [from, to] = [cardOf.get(edge.from), cardOf.get(edge.to)];
      return from === undefined || to === undefined || from === to ? [] : [{ ...edge, from, to }];
    }),
  );
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
