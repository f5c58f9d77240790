// Turns a refusal of the store (locked, full, damaged, read-only) into an issue or ignores it. Any other error is thrown on.
import { bad, type Result } from '../../base/result.ts';
import { StoreRefused, storeIssue } from '../../store/store-refused.ts';

/** Issues: those of `work`, and STORE_… when the store refuses. */
export function orStoreIssue<T>(work: () => Result<T>): Result<T> {
  try {
    return work();
  } catch (error) {
    return bad([issueOf(error)]);
  }
}

/** Issues: those of `work`, and STORE_… when the store refuses. */
export async function orStoreIssueLater<T>(work: Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work;
  } catch (error) {
    return bad([issueOf(error)]);
  }
}

/** For work that a run can do without; the run's own appends decide whether the run can go on. */
export function unlessRefused<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof StoreRefused) return undefined;
    throw error;
  }
}

function issueOf(error: unknown) {
  if (error instanceof StoreRefused) return storeIssue(error);
  throw error;
}
