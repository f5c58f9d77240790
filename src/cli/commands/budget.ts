// budget: what a run may use, has used, has set aside and has left.
import { budgetLine } from '../../view/budget/budget-line.ts';
import { budgetText, budgetTree, shownBudget } from '../../view/budget/budget-tree.ts';
import { historyOf } from '../../view/history.ts';
import { span } from '../../view/line.ts';
import type { Command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { withRun } from '../open-engine.ts';
import { runArgument } from '../run-argument.ts';
import { storeFlag } from '../store-file.ts';

export const command: Command = {
  arguments: [runArgument],
  flags: [storeFlag, jsonFlag],
  examples: [{ command: 'reconverge budget latest', does: 'limits, spent, reserved, remaining, kept for landing' }],
  json: {
    line: 'the budget in one line',
    run: '{ account, overdrawn, exhausted?, asked?, rows: [{ resource, limit?, before?, spent, reserved, remaining?, within?, landing }], accounts }; before: the limit that the template set, within: the account above that leaves less; money in dollars, time in seconds',
    phases: '[{ planner, steps, spent }]',
    models: '[{ model, asks, spent }]: what each model has used, failed asks included',
    failed: '{ resource: number }: what attempts that brought nothing have cost',
    assumed: '{ resource: number }: what lost attempts are assumed to have cost',
  },
  run: (call) =>
    withRun(call, ({ state, events }) => {
      const tree = budgetTree(state, historyOf(events));
      const line = budgetLine(state);
      if (call.given.has('json')) call.terminal.json({ line, ...shownBudget(tree) });
      else call.terminal.print([[span(line, 'strong')], ...budgetText(tree)]);
      return exitCodes.done;
    }),
};
