// The graph of a run as Graphviz DOT text.
import type { StepStatus } from '../engine/state.ts';
import type { GraphEdge, GraphNode, RunGraph } from './graph-export.ts';
import { span } from './line.ts';
import { shownAs } from './status.ts';

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

export function dot({ title, nodes, edges, phases }: RunGraph): string {
  const inPhase = (phase: string | undefined): GraphNode[] => nodes.filter((node) => node.phase === phase);
  return [
    `digraph ${quoted(title)} {`,
    '  node [fontname="sans-serif", fontsize=11, style="filled,rounded", shape=box];',
    ...inPhase(undefined).map((node) => `  ${nodeText(node)}`),
    ...phases.flatMap(({ planner }, index) => [
      `  subgraph cluster_${index} {`,
      `    label=${quoted(`grafted by ${planner}`)}; style="rounded,dashed"; color="#a1a1aa";`,
      ...inPhase(planner).map((node) => `    ${nodeText(node)}`),
      '  }',
    ]),
    ...edges.map((edge) => `  ${quoted(edge.from)} -> ${quoted(edge.to)}${edgeStyle(edge)};`),
    '}',
    '',
  ].join('\n');
}

function nodeText({ id, name, capability, type, status, text }: GraphNode): string {
  const label = [name, capability ?? type, `${shownAs(status).sign} ${text}`].map((part) => quoted(part).slice(1, -1));
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
