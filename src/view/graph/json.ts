// The graph of a run as JSON text.
import type { RunGraph } from './export.ts';
import { withLevels } from './levels.ts';

export function graphJson(graph: RunGraph): string {
  return `${JSON.stringify(withLevels(graph), null, 2)}\n`;
}
