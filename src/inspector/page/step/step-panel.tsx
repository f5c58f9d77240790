// The drawer of a step: its failure, attempts, neighbors and times, and tabs with the reason for it and all details.
import { useSignal } from '@preact/signals';
import type { Step } from '../../../engine/state/state.ts';
import { shownStatusOf } from '../../../view/phases/shown-status.ts';
import { type Why, why } from '../../../view/why/why.ts';
import { StepOrders } from '../orders/step-orders.tsx';
import { Panel } from '../parts/panel.tsx';
import { Status } from '../parts/status.tsx';
import { nameOf } from '../parts/step-link.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Stored } from '../parts/value.tsx';
import { phases } from '../state/phases.ts';
import { eventsUntil, shown } from '../state/run.ts';
import { AttemptsTab } from './attempts-tab.tsx';
import { LiveTexts } from './live-text.tsx';
import { LogsTab } from './logs-tab.tsx';
import { PacketTab } from './packet-tab.tsx';
import { StepOverview } from './step-overview.tsx';
import { WhyTab } from './why-tab.tsx';

const tabs = ['why', 'attempts', 'logs', 'packet', 'result'] as const;
type Tab = (typeof tabs)[number];
const PANEL = 'step-view';

export function StepPanel({ id }: { readonly id: string }) {
  const chosen = useSignal<Tab>('why');
  const moment = shown.value;
  const step = moment?.state.steps.get(id);
  if (moment === undefined) return null;
  if (step === undefined) {
    return (
      <Panel title={id} label={id}>
        <p class="dim">The step did not exist yet at this moment.</p>
      </Panel>
    );
  }
  const explanation = why(moment.state, eventsUntil(moment), id);
  const offered = tabs.filter((tab) => tab !== 'packet' || step.spec.type === 'planning');
  const tab = offered.includes(chosen.value) ? chosen.value : 'why';
  return (
    <Panel
      title={nameOf(id)}
      label={id}
      over={placeOf(id)}
      head={<Status status={shownStatusOf(moment.state, step)} text={explanation.status} />}
      what={workOf(explanation)}
    >
      <StepOrders moment={moment} step={step} />
      {moment.isLatest && <LiveTexts step={id} />}
      <StepOverview moment={moment} explanation={explanation} />
      <div class="tabs">
        <Tabs
          label="Views of this step"
          tabs={offered.map((name) => ({ name, label: labelOf(name, explanation) }))}
          chosen={tab}
          panel={PANEL}
          onChoose={(name) => {
            chosen.value = name;
          }}
        />
      </div>
      <div role="tabpanel" id={PANEL} aria-label={tab}>
        {tab === 'why' && <WhyTab explanation={explanation} />}
        {tab === 'attempts' && <AttemptsTab explanation={explanation} />}
        {tab === 'logs' && <LogsTab key={id} moment={moment} step={step} />}
        {tab === 'packet' && <PacketTab moment={moment} id={id} />}
        {tab === 'result' && <ResultTab step={step} explanation={explanation} />}
      </div>
    </Panel>
  );
}

/** `returns › deeper`: the phases around the step, from the outside in. */
function placeOf(id: string): string {
  const tree = phases.value;
  const titles: string[] = [];
  for (let key = tree?.phaseOf.get(id); key !== undefined; key = tree?.phases.get(key)?.within) {
    const phase = tree?.phases.get(key);
    if (phase !== undefined && key !== id) titles.unshift(phase.title);
  }
  return titles.length === 0 ? 'a step of the template' : titles.join(' › ');
}

function labelOf(tab: Tab, { attempts }: Why): string {
  return tab === 'attempts' && attempts.length > 0 ? `attempts ${attempts.length}` : tab;
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

function ResultTab({ step, explanation }: { readonly step: Step; readonly explanation: Why }) {
  const { result, proposal, rejected } = step;
  return (
    <>
      {result === undefined ? (
        <p class="dim">It has no result: it is {explanation.status}.</p>
      ) : (
        <Stored kept={result} />
      )}
      {proposal !== undefined && (
        <>
          <h3>its planner's last proposal</h3>
          <Stored kept={proposal} />
        </>
      )}
      {rejected !== undefined && (
        <>
          <h3>a result that did not pass its verification</h3>
          <Stored kept={rejected} />
        </>
      )}
    </>
  );
}
