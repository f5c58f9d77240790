// raise-budget: raises the limits of a run, and continues the run.
import { RUN_ACCOUNT } from '../../engine/state/state.ts';
import { readRaise } from '../../runtime/load/read-raise.ts';
import { orderCommand } from '../drive/drive-order.ts';
import { findStep } from '../find-step.ts';
import { refuse } from '../refuse.ts';
import { runArgument } from '../run-argument.ts';
import { readBudget } from '../run-input.ts';

export const command = orderCommand({
  arguments: [
    runArgument,
    {
      name: 'KEY=VALUE...',
      description: 'The new limits, with the keys of a budget: max_total_steps=200 max_cost_budget=$5.',
    },
  ],
  flags: [{ name: '--step <step>', description: 'Raise the budget of this step, not of the whole run.' }],
  examples: [
    {
      command: 'reconverge raise-budget latest max_total_steps=200 max_wall_clock_time=2h --why "worth it"',
      does: 'let a run do more; skipped steps stay skipped',
    },
    { command: 'reconverge raise-budget latest --step plan max_cost_budget=$2', does: 'for one planning step' },
  ],
  async read(call, { state }) {
    const { given } = call;
    const raise = readRaise(readBudget(given.arguments.slice(1), 'raise-budget'));
    if (!raise.ok) return refuse(call, raise.error);
    const named = given.text('step');
    if (named === undefined) return { order: { type: 'raise-budget', account: RUN_ACCOUNT, ...raise.value } };
    const step = findStep(state, named);
    if (!step.ok) return refuse(call, step.error);
    return { order: { type: 'raise-budget', account: step.value.id, ...raise.value } };
  },
});
