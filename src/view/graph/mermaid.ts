// The graph of a run as Mermaid text.
import type { StepStatus } from '../../engine/state/state.ts';
import { span } from '../line.ts';
import { statusMark } from '../status.ts';
import { type GraphEdge, type GraphNode, type RunGraph, workText } from './export.ts';
import { type Group, pictureOf } from './picture.ts';

const colours: Readonly<Record<StepStatus, string>> = {
  waiting: 'fill:#f4f4f5,stroke:#a1a1aa,color:#3f3f46',
  ready: 'fill:#f4f4f5,stroke:#71717a,color:#3f3f46',
  running: 'fill:#dbeafe,stroke:#2563eb,color:#1e3a8a',
  retrying: 'fill:#fef3c7,stroke:#d97706,color:#78350f',
  held: 'fill:#fef3c7,stroke:#d97706,color:#78350f',
  completed: 'fill:#dcfce7,stroke:#16a34a,color:#14532d',
  resolved: 'fill:#ecfccb,stroke:#65a30d,color:#365314',
  failed: 'fill:#fee2e2,stroke:#dc2626,color:#7f1d1d',
  skipped: 'fill:#fafaf9,stroke:#a8a29e,color:#57534e,stroke-dasharray:4 3',
  cancelled: 'fill:#fafaf9,stroke:#a8a29e,color:#57534e,stroke-dasharray:4 3',
  superseded: 'fill:#fafaf9,stroke:#a8a29e,color:#57534e,stroke-dasharray:4 3',
};

export function mermaid(graph: RunGraph): string {
  const { nodes, edges, whole } = pictureOf(graph);
  const keys = new Map(nodes.map(({ id }, index) => [id, `s${index}`]));
  const key = (id: string): string => keys.get(id) ?? 's';
  const used = [...new Set(nodes.map(({ status }) => status))];
  return [
    'flowchart TD',
    ...linesIn(whole, key),
    ...edges.map((edge) => `  ${key(edge.from)} ${arrow(edge)} ${key(edge.to)}`),
    ...used.map((status) => `  classDef ${status} ${colours[status]}`),
    '',
  ].join('\n');
}

function linesIn({ nodes, groups }: Group, key: (id: string) => string): string[] {
  const lines = [
    ...nodes.map((node) => nodeText(node, key)),
    ...groups.flatMap((group) => [`subgraph ${group.id}["${escaped(group.title)}"]`, ...linesIn(group, key), 'end']),
  ];
  return lines.map((line) => `  ${line}`);
}

function nodeText(node: GraphNode, key: (id: string) => string): string {
  const { sign } = statusMark(node.status);
  const label = `"${escaped(node.name)}<br/>${escaped(workText(node))}<br/>${sign} ${escaped(node.text)}"`;
  const shaped = node.type === 'planning' ? `{{${label}}}` : node.type === 'deferred' ? `([${label}])` : `[${label}]`;
  return `${key(node.id)}${shaped}:::${node.status}`;
}

function arrow({ kind, untravelled }: GraphEdge): string {
  if (untravelled) return '-.->';
  return kind === 'converges' ? '==>' : '-->';
}

/** Mermaid reads quotes and angle brackets itself; numeric entities pass. */
function escaped(text: string): string {
  return span(text).text.replace(/["<>#&;]/g, (character) => `#${character.codePointAt(0)};`);
}
