// The formats in which a graph can be written, by name.
import { dot } from './graph-dot.ts';
import type { RunGraph } from './graph-export.ts';
import { graphJson } from './graph-json.ts';
import { mermaid } from './graph-mermaid.ts';

export const graphFormats: Readonly<Record<string, (graph: RunGraph) => string>> = { mermaid, dot, json: graphJson };
