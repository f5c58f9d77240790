// The graph of a run as Graphviz DOT text.
import type { StepStatus } from '../../engine/state/state.ts';
import { span } from '../line.ts';
import { statusMark } from '../status.ts';
import { type GraphEdge, type GraphNode, type RunGraph, workText } from './export.ts';
import { type Group, pictureOf } from './picture.ts';

const colours: Readonly<Record<StepStatus, string>> = {
  waiting: '#f4f4f5',
  ready: '#e4e4e7',
  running: '#dbeafe',
  retrying: '#fef3c7',
  held: '#fef3c7',
  completed: '#dcfce7',
  resolved: '#ecfccb',
  failed: '#fee2e2',
  skipped: '#fafaf9',
  cancelled: '#fafaf9',
  superseded: '#fafaf9',
};

export function dot(graph: RunGraph): string {
  const { edges, whole } = pictureOf(graph);
  return [
    `digraph ${quoted(whole.title)} {`,
    '  node [fontname="sans-serif", fontsize=11, style="filled,rounded", shape=box];',
    ...linesIn(whole),
    ...edges.map((edge) => `  ${quoted(edge.from)} -> ${quoted(edge.to)}${edgeStyle(edge)};`),
    '}',
    '',
  ].join('\n');
}

function linesIn({ nodes, groups }: Group): string[] {
  const lines = [
    ...nodes.map(nodeText),
    ...groups.flatMap((group) => [
      `subgraph cluster_${group.id} {`,
      `  label=${quoted(group.title)}; style="rounded,dashed"; color="#a1a1aa";`,
      ...linesIn(group),
      '}',
    ]),
  ];
  return lines.map((line) => `  ${line}`);
}

function nodeText(node: GraphNode): string {
  const { id, name, type, status, text } = node;
  const label = [name, workText(node), `${statusMark(status).sign} ${text}`].map((part) => quoted(part).slice(1, -1));
  const shape = type === 'planning' ? ', shape=hexagon' : '';
  const border =
    status === 'skipped' || status === 'cancelled' || status === 'superseded' ? ', style="filled,rounded,dashed"' : '';
  return `${quoted(id)} [label="${label.join('\\n')}", fillcolor="${colours[status]}"${shape}${border}, class="${status}"];`;
}

function edgeStyle({ kind, untravelled }: GraphEdge): string {
  if (untravelled) return ' [style=dashed, color="#a8a29e"]';
  return kind === 'converges' ? ' [penwidth=2]' : '';
}

function quoted(text: string): string {
  return `"${span(text).text.replace(/["\\]/g, (character) => `\\${character}`)}"`;
}
