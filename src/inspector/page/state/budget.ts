// The run's budget at the selected moment: spent, reserved and left.
import { computed } from '@preact/signals';
import { type BudgetTree, budgetTree } from '../../../view/budget/budget-tree.ts';
import { historyOf } from '../../../view/history.ts';
import { eventsUntil, shown } from './run.ts';

export const history = computed(() => {
  const moment = shown.value;
  return moment && historyOf(eventsUntil(moment));
});

export const budget = computed<BudgetTree | undefined>(() => {
  const moment = shown.value;
  return moment && history.value && budgetTree(moment.state, history.value);
});
