// Check: what a goal says, or a person answers, and no call of the plan takes, as whoever read the goal found it.
import type { Check } from '../verdict.ts';

export const checkDropped: Check = ({ fragment: { intents, steps } }) =>
  (intents?.intents ?? []).flatMap(({ issues = [], steps: [name] }) => {
    const index = steps.findIndex((step) => step.name === name);
    return issues.map((each) => ({ ...each, path: index < 0 ? [] : ['steps', index] }));
  });
