// The formats in which a graph can be written, by name.
import { dot } from './dot.ts';
import type { RunGraph } from './export.ts';
import { withLevels } from './levels.ts';
import { mermaid } from './mermaid.ts';
import { svg } from './svg.ts';

export const graphFormats: Readonly<Record<string, (graph: RunGraph) => string>> = {
  mermaid,
  dot,
  svg,
  json: (graph) => `${JSON.stringify(withLevels(graph), null, 2)}\n`,
};
