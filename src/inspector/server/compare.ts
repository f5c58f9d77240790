// Compares two runs, in the lines that `reconverge diff` prints.
import type { Json } from '../../base/json.ts';
import { good, type Result } from '../../base/result.ts';
import type { Engine } from '../../runtime/api/engine.ts';
import type { RunRecord } from '../../runtime/api/run-record.ts';
import { isSame, type RunSide, runDiff } from '../../view/diff/run-diff.ts';
import { runDiffText } from '../../view/diff/run-diff-text.ts';
import { type Line, span } from '../../view/line.ts';

export function compare(engine: Engine, left: string, right: string): Result<readonly Line[]> {
  const [before, after] = [engine.read(left), engine.read(right)];
  if (!before.ok) return before;
  if (!after.ok) return after;
  const difference = runDiff(sideOf(before.value), sideOf(after.value));
  return good(isSame(difference) ? [[span('no difference', 'good')]] : runDiffText(difference));
}

function sideOf({ state, events, blob }: RunRecord): RunSide {
  return {
    state,
    events,
    value: (kept) => ('value' in kept ? kept.value : (JSON.parse(blob(kept.digest) ?? 'null') as Json)),
  };
}
