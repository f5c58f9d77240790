// The drawer of a step: the reason for the step, its attempts, its packet and its result.
import { useSignal } from '@preact/signals';
import { why } from '../../../view/why/why.ts';
import { StepOrders } from '../orders/step-orders.tsx';
import { Panel } from '../parts/panel.tsx';
import { Status } from '../parts/status.tsx';
import { eventsUntil, shown } from '../state/run.ts';
import { AttemptsTab } from './attempts-tab.tsx';
import { PacketTab } from './packet-tab.tsx';
import { ResultTab } from './result-tab.tsx';
import { WhyTab } from './why-tab.tsx';

const tabs = ['why', 'attempts', 'packet', 'result'] as const;
type Tab = (typeof tabs)[number];

export function StepPanel({ id }: { readonly id: string }) {
  const chosen = useSignal<Tab>('why');
  const moment = shown.value;
  const step = moment?.state.steps.get(id);
  if (moment === undefined) return null;
  if (step === undefined) {
    return (
      <Panel title={id}>
        <p class="dim">It is not there yet at this instant.</p>
      </Panel>
    );
  }
  const told = why(moment.state, eventsUntil(moment), id);
  const offered = tabs.filter((tab) => tab !== 'packet' || step.spec.type === 'planning');
  const tab = offered.includes(chosen.value) ? chosen.value : 'why';
  return (
    <Panel title={id} head={<Status status={step.status} text={told.status} />} what={workOf(told)}>
      <StepOrders moment={moment} step={step} />
      <div class="tabs" role="tablist" aria-label="Of this step">
        {offered.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            aria-selected={each === tab}
            onClick={() => {
              chosen.value = each;
            }}
          >
            {each}
            {each === 'attempts' && told.attempts.length > 0 ? ` ${told.attempts.length}` : ''}
          </button>
        ))}
      </div>
      <div role="tabpanel">
        {tab === 'why' && <WhyTab told={told} />}
        {tab === 'attempts' && <AttemptsTab told={told} />}
        {tab === 'packet' && <PacketTab moment={moment} id={id} />}
        {tab === 'result' && <ResultTab step={step} told={told} />}
      </div>
    </Panel>
  );
}

function workOf({
  type,
  capability,
  agent,
}: {
  readonly type: string;
  readonly capability?: string;
  readonly agent?: string;
}): string {
  return [type, capability, agent === undefined ? undefined : `agent ${agent}`]
    .filter((part) => part !== undefined)
    .join(' · ');
}
