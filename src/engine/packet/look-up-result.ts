// Looks up more of a result than a packet showed, for the planner that asks.

import { failure } from '../../base/failure.ts';
import { present } from '../../base/fault.ts';
import { type Json, ownProperty } from '../../base/json.ts';
import { bad, good } from '../../base/result.ts';
import { fetchContext } from '../../context/fetch.ts';
import { visibleSteps } from '../queries/visible-phases.ts';
import type { CallOutcome } from '../record/call.ts';
import type { Batch } from '../state/batch.ts';
import type { Step } from '../state/state.ts';
import { recordOf } from './packet-request.ts';

/** The most bytes of one look-up. */
const MOST_BYTES = 16_000;

export function lookUpResult({ state, values }: Batch, step: Step, request: Json): CallOutcome {
  const ref = ownProperty(request, 'ref');
  const path = ownProperty(request, 'path');
  const found = fetchContext({
    records: visibleSteps(state, step).map((each) => recordOf(state, each, values)),
    ref: typeof ref === 'string' ? ref : '',
    ...(typeof path === 'string' && path !== '' ? { path } : {}),
    maxBytes: MOST_BYTES,
  });
  if (found.ok) {
    const { ref, shown, value } = found.value;
    return good({ ref, shown, value });
  }
  const { code, message, hint } = present(found.error[0], 'why nothing was found');
  const says = hint === undefined ? message : `${message}; ${hint}`;
  return bad(failure(code, says, { retry: 'never' }));
}
