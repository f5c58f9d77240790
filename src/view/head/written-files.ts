// The files that a run has written: reports and other outputs, by the steps that wrote them.
import { isJsonObject } from '../../base/json.ts';
import type { RunView } from '../../engine/state/run-view.ts';

export interface WrittenFile {
  readonly path: string;
  readonly step: string;
}

/** Completed steps that put something out and returned its path, in the order of the steps. */
export function writtenFiles({ steps, template }: RunView): readonly WrittenFile[] {
  return [...steps.values()].flatMap(({ id, spec, status, result }) => {
    if (status !== 'completed' || result === undefined || !('value' in result)) return [];
    const { effects = [] } = template.capabilities[spec.capability ?? ''] ?? {};
    const { value } = result;
    const path = effects.includes('output') && isJsonObject(value) ? value.path : undefined;
    return typeof path === 'string' ? [{ path, step: id }] : [];
  });
}
