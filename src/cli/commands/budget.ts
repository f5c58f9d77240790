// budget: shows a run's limits and what the run has used, reserved and left.
import { budgetLine } from '../../view/budget/budget-line.ts';
import { budgetText, budgetTree, shownBudget } from '../../view/budget/budget-tree.ts';
import { historyOf } from '../../view/history.ts';
import { span } from '../../view/line.ts';
import type { BudgetAnswer } from '../answers/runs.schema.ts';
import type { Command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { withRun } from '../open-engine.ts';
import { runArgument } from '../run-argument.ts';
import { storeFlag } from '../store-file.ts';

export const command: Command = {
  arguments: [runArgument],
  flags: [storeFlag, jsonFlag],
  examples: [{ command: 'reconverge budget latest', does: 'show limits and spent, reserved and remaining amounts' }],

  run: (call) =>
    withRun(call, ({ state, events }) => {
      const tree = budgetTree(state, historyOf(events));
      const line = budgetLine(state);
      if (call.given.has('json')) call.terminal.json({ line, ...shownBudget(tree) } satisfies BudgetAnswer);
      else call.terminal.print([[span(line, 'strong')], ...budgetText(tree)]);
      return exitCodes.done;
    }),
};
