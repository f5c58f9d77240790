// What a rule or fixed planner answers when its plan was sent back, or has failed and is to be repaired.
import type { Brief } from '../planning/brief.ts';
import type { Expression } from '../template/references.ts';

/** The expression to use in place of the usual answer, when there is one and something went wrong before. */
export function repairFor(brief: Brief, repair: Expression | undefined): Expression | undefined {
  return isMending(brief) ? repair : undefined;
}

/** The last proposal was not accepted, or a plan has failed. */
export function isMending({ feedback, repair }: Brief): boolean {
  return feedback !== undefined || repair !== undefined;
}
