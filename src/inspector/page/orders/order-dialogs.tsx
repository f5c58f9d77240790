// The dialogs of orders that need a confirmation or more input, and the one that is open.
import { useSignal } from '@preact/signals';
import { limitText } from '../../../budget/limit-text.ts';
import { limitKey } from '../../../budget/limits.ts';
import { wholeWords } from '../../../contract/describe-contract.ts';
import { RUN_ACCOUNT } from '../../../engine/state/state.ts';
import type { BudgetTree } from '../../../view/budget/budget-tree.ts';
import { Field, Text } from '../parts/field.tsx';
import { budget } from '../state/budget.ts';
import { type DialogOrder, openOrder } from '../state/order-state.ts';
import { go } from '../state/place.ts';
import { latest } from '../state/run.ts';
import { OrderDialog } from './order-dialog.tsx';

export function OpenOrderDialog() {
  const order = openOrder.value;
  return order === undefined ? null : <Dialog key={JSON.stringify(order)} order={order} />;
}

function Dialog({ order }: { readonly order: DialogOrder }) {
  const { run } = order;
  switch (order.order) {
    case 'cancel':
      return (
        <OrderDialog
          run={run}
          title={`Cancel run ${run}?`}
          says="Running steps are broken off, and no other step starts. A cancelled run cannot be resumed; it can be forked."
          does="Cancel the run"
          isFinal
          request={() => ({ order: 'cancel' })}
        />
      );
    case 'retry-step':
      return (
        <OrderDialog
          run={run}
          title={`Begin ${order.step} again?`}
          says="The running attempt is broken off, and its full reservation is charged."
          does="Begin again"
          isFinal
          request={() => ({ order: 'retry-step', step: order.step })}
        />
      );
    case 'raise-budget':
      return <Raise run={run} account={order.account} />;
    case 'resolve-step':
      return <Resolve run={run} step={order.step} />;
    case 'fork':
      return <Fork run={run} at={order.at} />;
  }
}

function Raise({ run, account }: { readonly run: string; readonly account: string }) {
  const written = useSignal<Readonly<Record<string, string>>>({});
  return (
    <OrderDialog
      run={run}
      title={account === RUN_ACCOUNT ? 'Raise the budget of the run' : `Raise the budget of ${account}`}
      says="The new limits hold from now on; skipped steps stay skipped. An empty field keeps its limit."
      does="Raise"
      request={() => ({ order: 'raise-budget', account, budget: writtenLimits(written.value) })}
    >
      <Limits
        account={account}
        written={written.value}
        onWrite={(limits) => {
          written.value = limits;
        }}
      />
    </OrderDialog>
  );
}

function Resolve({ run, step }: { readonly run: string; readonly step: string }) {
  const text = useSignal('');
  const { output } = latest.value?.state.steps.get(step)?.spec ?? {};
  return (
    <OrderDialog
      run={run}
      title={`Give ${step} its result`}
      says="The run continues with this result, as if the step had returned it. A running attempt is broken off. This cannot be undone."
      does="Give this result"
      isFinal
      request={() => ({ order: 'resolve-step', step, text: text.value })}
    >
      <Text
        label={`The result: ${output === undefined ? 'anything, as JSON or in plain words' : wholeWords(output)}`}
        rows={8}
        value={text.value}
        onInput={(value) => {
          text.value = value;
        }}
      />
    </OrderDialog>
  );
}

function Fork({ run, at }: { readonly run: string; readonly at: number }) {
  const written = useSignal<Readonly<Record<string, string>>>({});
  return (
    <OrderDialog
      run={run}
      title={`Fork the run after event ${at}`}
      says="A new run takes over all events up to this one and continues by itself; this run stays as it is. Limits may be tighter or looser; an empty field keeps its limit."
      does="Fork"
      request={() => ({ at, budget: writtenLimits(written.value) })}
      onDone={(answered) => go({ run: answered.run })}
    >
      <Limits
        account={RUN_ACCOUNT}
        written={written.value}
        onWrite={(limits) => {
          written.value = limits;
        }}
      />
    </OrderDialog>
  );
}

type Account = BudgetTree['run'];

interface LimitsProps {
  readonly account: string;
  readonly written: Readonly<Record<string, string>>;
  readonly onWrite: (written: Readonly<Record<string, string>>) => void;
}

/** A form for new limits; each field shows the current limit and the amount spent. */
function Limits({ account, written, onWrite }: LimitsProps) {
  const found = budget.value === undefined ? undefined : accountIn(budget.value.run, account);
  const limited = found?.rows.filter(({ limit }) => limit !== undefined) ?? [];
  return (
    <div class="limits">
      {limited.map(({ resource, limit = 0, spent }) => {
        const key = limitKey(resource);
        return (
          <Field
            key={key}
            label={
              <>
                <code>{key}</code>
                <span class="spent-of">
                  {limitText(resource, spent)} of {limitText(resource, limit)} spent
                </span>
              </>
            }
            placeholder={limitText(resource, limit)}
            value={written[key] ?? ''}
            onInput={(value) => onWrite({ ...written, [key]: value })}
          />
        );
      })}
    </div>
  );
}

/** Only the limits that were filled in. */
function writtenLimits(written: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(written).flatMap(([key, value]) => (value.trim() === '' ? [] : [[key, value.trim()]])),
  );
}

function accountIn(account: Account, id: string): Account | undefined {
  if (account.account === id) return account;
  return account.accounts.map((child) => accountIn(child, id)).find((found) => found !== undefined);
}
