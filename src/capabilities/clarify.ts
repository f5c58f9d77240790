// A question to a person that a capability returns instead of a result.
import { defined } from '../base/json.ts';
import type { ContractSource } from './from-contract.ts';

/** The step waits for the answer; then the capability is called again with the answer in its input. */
export interface Clarification {
  readonly needs_clarification: {
    readonly question: string;
    /** The contract of the answer; absent: any value. */
    readonly answer?: ContractSource;
    /** The input key for the answer, default `answer`. An answer that is an object is merged into the input instead. */
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
