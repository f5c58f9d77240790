// The expiry of a gate in words.
import type { Expiry } from '../template/step-spec.ts';

/** The words follow `then`. */
export const expiryText: Readonly<Record<Expiry, string>> = {
  approve: 'it counts as approved',
  reject: 'it counts as rejected',
  fail: 'the step fails',
  converge: 'the run goes on without it',
};
