// Creates a step as it joins a run.
import type { Step } from './state.ts';

type NewStepFields = Pick<
  Step,
  'id' | 'spec' | 'provenance' | 'refs' | 'target' | 'account' | 'converges' | 'item' | 'repairs' | 'since'
>;

/** One list for all steps; nobody writes to it. */
const NONE: readonly never[] = Object.freeze([]);

export function newStep(fields: NewStepFields): Step {
  const { id, spec, provenance, refs, target, account, converges, item, repairs, since } = fields;
  return {
    id,
    spec,
    provenance,
    refs,
    target,
    account,
    status: 'waiting',
    waiting: 0,
    converges,
    attempt: 0,
    uncounted: 0,
    delivery: 0,
    reserved: undefined,
    key: undefined,
    begunAt: undefined,
    child: undefined,
    calls: NONE,
    leftCalls: NONE,
    brief: undefined,
    inputDigest: undefined,
    result: undefined,
    failure: undefined,
    stop: undefined,
    skipped: undefined,
    root: undefined,
    retryAt: undefined,
    feedback: undefined,
    rejected: undefined,
    rejectedIn: undefined,
    failedTries: 0,
    tries: NONE,
    proposal: undefined,
    found: NONE,
    expanded: undefined,
    item,
    people: undefined,
    repairs,
    takenUp: undefined,
    needs: undefined,
    issues: undefined,
    convergence: undefined,
    since,
  };
}
