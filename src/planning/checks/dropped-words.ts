// Check: reports the issues that the goal's planner found, such as words that no call uses.
import type { Check } from './check.ts';

export const checkDroppedWords: Check = ({ fragment: { intents, steps } }) =>
  (intents?.intents ?? []).flatMap(({ issues = [], steps: [name] }) => {
    const index = steps.findIndex((step) => step.name === name);
    return issues.map((each) => ({ ...each, path: index < 0 ? [] : ['steps', index] }));
  });
