// Chooses the repair rule of a rule or fixed planner when its plan was refused or has failed.
import type { Brief } from '../planning/brief.ts';
import type { Expression } from '../template/references.ts';

/** The repair expression, when there is one and the plan needs mending. */
export function repairFor(brief: Brief, repair: Expression | undefined): Expression | undefined {
  return isMending(brief) ? repair : undefined;
}

/** Tells whether the last proposal was refused, or a plan has failed. */
export function isMending({ feedback, repair }: Brief): boolean {
  return feedback !== undefined || repair !== undefined;
}
