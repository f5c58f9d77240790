// Recognizes calls that may be made at most once, and failures that leave open whether a call was carried out.
import type { Failure } from '../../base/failure.ts';
import { isOnce } from '../../contract/declaration.ts';
import type { RunState, Step } from './state.ts';

/** Whether a step may make this call at most once. */
export function isAtMostOnce({ template }: RunState, { spec, provenance }: Step, capability: string): boolean {
  const { capabilities } = template;
  const declaration = Object.hasOwn(capabilities, capability) ? capabilities[capability] : undefined;
  const isAuthored = provenance === undefined && spec.agent === undefined && spec.capability === capability;
  return declaration !== undefined && isOnce(declaration, isAuthored);
}

const UNKNOWN: ReadonlySet<string> = new Set(['STEP_TIMEOUT', 'STEP_ABORTED', 'WORKER_LOST']);

/** Whether a failure leaves open whether the call was carried out. */
export function isOutcomeUnknown({ code, fate }: Failure): boolean {
  return fate === 'unknown' || (fate === undefined && UNKNOWN.has(code));
}
