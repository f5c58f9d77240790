// The open dialog, chosen by the kind of order.
import { useSignal } from '@preact/signals';
import { wholeWords } from '../../../contract/describe-contract.ts';
import { RUN_ACCOUNT } from '../../../engine/state/state.ts';
import { Text } from '../parts/field.tsx';
import { type Ordering, ordering } from '../state/ordering.ts';
import { go } from '../state/place.ts';
import { latest } from '../state/run.ts';
import { Limits, writtenLimits } from './limits.tsx';
import { OrderDialog } from './order-dialog.tsx';

export function Ordered() {
  const asked = ordering.value;
  return asked === undefined ? null : <Dialog key={JSON.stringify(asked)} asked={asked} />;
}

function Dialog({ asked }: { readonly asked: Ordering }) {
  const { run } = asked;
  switch (asked.order) {
    case 'cancel':
      return (
        <OrderDialog
          run={run}
          title={`Cancel run ${run}?`}
          says="What is under way is broken off, and what has not begun never will. A cancelled run cannot be resumed; it can be forked."
          does="Cancel the run"
          isFinal
          wish={() => ({ order: 'cancel' })}
        />
      );
    case 'retry-step':
      return (
        <OrderDialog
          run={run}
          title={`Begin ${asked.step} again?`}
          says="What it is doing is broken off, and what that may have cost is charged in full."
          does="Begin again"
          isFinal
          wish={() => ({ order: 'retry-step', step: asked.step })}
        />
      );
    case 'raise-budget':
      return <Raise run={run} account={asked.account} />;
    case 'resolve-step':
      return <Resolve run={run} step={asked.step} />;
    case 'fork':
      return <Fork run={run} at={asked.at} />;
  }
}

function Raise({ run, account }: { readonly run: string; readonly account: string }) {
  const written = useSignal<Readonly<Record<string, string>>>({});
  return (
    <OrderDialog
      run={run}
      title={account === RUN_ACCOUNT ? 'Raise the budget of the run' : `Raise the budget of ${account}`}
      says="New limits hold for what begins from now on; what was cut before stays cut. What is left empty stays as it is."
      does="Raise"
      wish={() => ({ order: 'raise-budget', account, budget: writtenLimits(written.value) })}
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
      says="The run goes on with this result, as if the step had brought it. What it is doing is broken off. This cannot be taken back."
      does="Give this result"
      isFinal
      wish={() => ({ order: 'resolve-step', step, text: text.value })}
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
      says="Another run begins with all that had happened by then, and goes on from there by itself; this one stays as it is. Limits may be tighter or looser; what is left empty stays as it is."
      does="Fork"
      wish={() => ({ at, budget: writtenLimits(written.value) })}
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
