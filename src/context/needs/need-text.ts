// Writes a need as a planner does.
import type { Need } from '../../template/step-spec.ts';

/** Example: `ingest.files` */
export function needText({ step, path }: Need): string {
  return path === undefined ? step : `${step}.${path}`;
}
