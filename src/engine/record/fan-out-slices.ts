// Cuts the list of a fan-out into the inputs of its steps.
import { type Failure, failure } from '../../base/failure.ts';
import { isJsonArray, type Json, nameOfKind } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { RunBudget } from '../../budget/limits.ts';
import type { FanOutSpec } from '../../template/step-spec.ts';

/** The widths that a budget sets for fan-outs in plans; a plan cannot raise them. */
export type PlannedWidth = Pick<RunBudget, 'fanOut' | 'fragmentSteps'>;

/**
 * One slice for each item. With a batch size each slice is a list of at least that many items, and of more where the
 * width demands it. A list with more slices than the width is refused, never cut.
 */
export function slicesOf(
  list: Json,
  { maxWidth, batchSize }: Omit<FanOutSpec, 'do' | 'forEach'>,
  bounds?: PlannedWidth,
): Result<readonly Json[], Failure> {
  if (!isJsonArray(list)) {
    const hint = 'write for_each as a reference or an expression that gives a list';
    return refused('FAN_OUT_NOT_A_LIST', `for_each must give a list and gave ${kindOf(list)}; ${hint}`);
  }
  if (batchSize !== undefined) {
    const size = Math.max(batchSize, Math.ceil(list.length / maxWidth));
    const count = Math.ceil(list.length / size);
    return good(Array.from({ length: count }, (_, at) => list.slice(at * size, (at + 1) * size)));
  }
  if (list.length <= maxWidth) return good(list);
  const gave = `for_each gave ${list.length} items and max_width allows ${maxWidth}`;
  if (bounds === undefined)
    return refused('FAN_OUT_TOO_WIDE', `${gave}; give each step several items with batch_size, or raise max_width`);
  const { fanOut, fragmentSteps } = bounds;
  const raise = `raise max_fan_out (${fanOut}) and max_fragment_steps (${fragmentSteps}) under budget`;
  return refused('FAN_OUT_TOO_WIDE', `${gave}; ${raise}, or have the plan give each step several with batch_size`);
}

function kindOf(value: Json): string {
  return value === null ? 'null' : `a ${nameOfKind(value)}`;
}

/** The same list would be refused again. */
function refused(code: string, message: string): Result<never, Failure> {
  return bad(failure(code, message, { retry: 'never' }));
}
