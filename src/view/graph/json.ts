// The graph of a run as JSON text.
import type { RunGraph } from './export.ts';

export function graphJson(graph: RunGraph): string {
  return `${JSON.stringify(graph, null, 2)}\n`;
}
