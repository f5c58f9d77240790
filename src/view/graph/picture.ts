// A graph as nested groups, with each wide fan-out as one node, because a picture of a thousand items shows nothing.

import { counted } from '../../base/counted.ts';
import { defined } from '../../base/json.ts';
import { countsText, worstOf } from '../status.ts';
import { type GraphEdge, type GraphNode, mergedEdges, type RunGraph } from './export.ts';

/** A fan-out with more items is one node. */
const MOST_ITEMS = 20;

/** Nodes that are drawn together: the whole graph, a phase, or the items of a fan-out. */
export interface Group {
  readonly id: string;
  readonly title: string;
  readonly nodes: readonly GraphNode[];
  readonly groups: readonly Group[];
}

interface Picture {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly whole: Group;
}

export function pictureOf(graph: RunGraph): Picture {
  const { title, nodes, edges, phases, fanOuts } = foldItems(graph);
  const inPhase = (id: string, name: string, within: string | undefined): Group => ({
    id,
    title: name,
    nodes: nodes.filter(({ phase, fanOut }) => phase === within && fanOut === undefined),
    groups: fanOuts.flatMap((each, index) => {
      const items = nodes.filter(({ fanOut }) => fanOut === each.step);
      return each.within === within
        ? [{ id: `f${index}`, title: `items of ${each.step}`, nodes: items, groups: [] }]
        : [];
    }),
  });
  const authored = inPhase('whole', title, undefined);
  const grown = phases.map(({ planner }, index) => inPhase(`p${index}`, `grafted by ${planner}`, planner));
  return { nodes, edges, whole: { ...authored, groups: [...authored.groups, ...grown] } };
}

function foldItems(graph: RunGraph): RunGraph {
  const wide = new Set(graph.fanOuts.filter(({ items }) => items > MOST_ITEMS).map(({ step }) => step));
  if (wide.size === 0) return graph;
  const folded = (node: GraphNode): boolean => node.fanOut !== undefined && wide.has(node.fanOut);
  const into = new Map(graph.nodes.filter(folded).map((node) => [node.id, `${node.fanOut}/…`]));
  const named = (id: string): string => into.get(id) ?? id;
  return {
    ...graph,
    nodes: [
      ...graph.nodes.filter((node) => !folded(node)),
      ...[...wide].map((of) =>
        nodeOfItems(
          of,
          graph.nodes.filter(({ fanOut }) => fanOut === of),
        ),
      ),
    ],
    edges: mergedEdges(graph.edges.map((edge) => ({ ...edge, from: named(edge.from), to: named(edge.to) }))),
  };
}

function nodeOfItems(of: string, items: readonly GraphNode[]): GraphNode {
  const statuses = items.map(({ status }) => status);
  const [first] = items;
  return {
    id: `${of}/…`,
    name: counted(items.length, 'item'),
    type: first?.type ?? 'task',
    ...defined({ capability: first?.capability }),
    status: worstOf(statuses),
    text: countsText(statuses),
    ...defined({ phase: first?.phase }),
    fanOut: of,
  };
}
