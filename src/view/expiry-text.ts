// What is done with a gate that nobody answers, in words.
import type { Expiry } from '../template/step-spec.ts';

/** To be said after `then`. */
export const expiryText: Readonly<Record<Expiry, string>> = {
  approve: 'it counts as approved',
  reject: 'it counts as rejected',
  fail: 'the step fails',
  converge: 'the run goes on without it',
};
