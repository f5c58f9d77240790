// The whole budget: each account with its bars, the use by phases and models, and the losses.
import type { BudgetTree } from '../../../view/budget/budget-tree.ts';
import { BudgetBar } from '../parts/budget-bar.tsx';
import { StepLink } from '../parts/step-link.tsx';
import { budget } from '../state/budget.ts';
import { openOrder } from '../state/order-state.ts';
import { isReadOnly, shown } from '../state/run.ts';
import { SharesTable } from './shares-table.tsx';

export function BudgetView() {
  const tree = budget.value;
  if (tree === undefined) return null;
  const { run, phases, models, failed, assumed } = tree;
  const losses = [
    { key: 'failed', name: 'failed attempts', spent: failed },
    { key: 'assumed', name: 'assumed for lost attempts', spent: assumed },
  ].filter(({ spent }) => Object.values(spent).some((amount) => amount > 0));
  return (
    <div class="budget-view">
      <p class="budget-legend">
        <i class="spent" /> spent <i class="reserved" /> reserved for running steps <i class="landing" /> kept for
        landing
      </p>
      <Account account={run} />
      {phases.length > 0 && (
        <SharesTable
          of="phases"
          rows={phases.map(({ planner, steps, spent }) => ({
            key: planner,
            name: <StepLink id={planner} />,
            spent: { ...spent, steps },
          }))}
        />
      )}
      {models.length > 0 && (
        <SharesTable
          of="models"
          rows={models.map(({ model, asks, spent }) => ({
            key: model,
            name: model,
            spent: { ...spent, llm_calls: asks },
          }))}
        />
      )}
      {losses.length > 0 && <SharesTable of="losses" rows={losses} />}
    </div>
  );
}

function Account({ account }: { readonly account: BudgetTree['run'] }) {
  const { rows, accounts, exhausted, overdrawn, asked } = account;
  const moment = shown.value;
  const canRaise = !isReadOnly.value && moment?.isLatest === true && moment.state.status !== 'ended';
  return (
    <section class="account">
      <div class="account-head">
        <h2>{account.account}</h2>
        {canRaise && rows.some(({ limit }) => limit !== undefined) && (
          <button
            type="button"
            aria-label={`Raise the budget of ${account.account}`}
            onClick={() => {
              openOrder.value = { run: moment.run, order: 'raise-budget', account: account.account };
            }}
          >
            raise …
          </button>
        )}
      </div>
      {exhausted !== undefined && (
        <p class="text-bad">
          {asked === undefined ? 'exhausted' : `asked about in ${asked}`}: {exhausted}
        </p>
      )}
      {overdrawn && <p class="text-bad">more was billed than was reserved</p>}
      <div class="bars wide">
        {rows.map((row) => (
          <BudgetBar key={row.resource} row={row} />
        ))}
      </div>
      {accounts.map((child) => (
        <Account key={child.account} account={child} />
      ))}
    </section>
  );
}
