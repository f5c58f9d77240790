// How a step judges what comes together at it.
import { defined, type JsonObject } from '../../base/json.ts';
import { readPercent } from '../../base/quantity.ts';
import { choiceAt, flagAt, quantityAt } from '../keys/readers.ts';
import type { ConvergenceSpec } from '../step-spec.ts';

/** The defaults for steps that say nothing: planning steps judge what has settled, all others want success. */
export function readConvergence(raw: JsonObject, planning: boolean): ConvergenceSpec {
  const min = readMin(raw);
  return {
    policy:
      choiceAt(raw, 'policy', ['all_success', 'all_settled', 'quorum']) ?? (planning ? 'all_settled' : 'all_success'),
    ...defined({ min }),
    early: flagAt(raw, 'early') ?? false,
    onExhaustion: choiceAt(raw, 'on_exhaustion', ['converge', 'fail', 'ask']) ?? 'converge',
  };
}

function readMin(raw: JsonObject): ConvergenceSpec['min'] {
  if (typeof raw.min === 'number') return { count: raw.min };
  const percent = quantityAt(raw, 'min', readPercent);
  return percent === undefined ? undefined : { percent };
}
