// What a capability returns when a person must tell it something before it can go on.
import { defined } from '../base/json.ts';
import type { ContractSource } from './from-contract.ts';

/** Returned in place of a result: the step is held, and called again with the answer in its input. */
export interface Clarification {
  readonly needs_clarification: {
    readonly question: string;
    /** What an answer must be; absent: anything. */
    readonly answer?: ContractSource;
    /** The key of the input that an answer which is no object stands under; absent: `answer`. An object is laid over the input. */
    readonly as?: string;
  };
}

export function clarify(question: string, answer?: ContractSource, as?: string): Clarification {
  return {
    needs_clarification: {
      question,
      ...defined({ answer, as }),
    },
  };
}
