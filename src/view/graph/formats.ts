// The formats in which a graph can be written, by name.
import { dot } from './dot.ts';
import type { RunGraph } from './export.ts';
import { graphJson } from './json.ts';
import { mermaid } from './mermaid.ts';
import { svg } from './svg.ts';

export const graphFormats: Readonly<Record<string, (graph: RunGraph) => string>> = {
  mermaid,
  dot,
  svg,
  json: graphJson,
};
