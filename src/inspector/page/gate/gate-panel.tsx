// The drawer of a gate, a page of its own on a phone: the question, the decision, and the evidence.
import { useEffect, useRef } from 'preact/hooks';
import { durationText } from '../../../base/quantity.ts';
import type { GateView } from '../../../engine/state/run-view.ts';
import { expiryText } from '../../../view/expiry-text.ts';
import { gateFacts } from '../../../view/gate/gate-facts.ts';
import { instantText } from '../../../view/instant-text.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Panel } from '../parts/panel.tsx';
import { RunLink } from '../parts/run-link.tsx';
import { StepLink } from '../parts/step-link.tsx';
import { Stored } from '../parts/value.tsx';
import { openGates } from '../state/gates.ts';
import { isReadOnly, type Moment, shown, summary } from '../state/run.ts';
import { gateForm } from '../state/server.ts';
import { GateDecision } from './gate-decision.tsx';
import { GateContext, GateEvidence } from './gate-evidence.tsx';

export function GatePanel({ id }: { readonly id: string }) {
  const moment = shown.value;
  const gate = moment?.state.gates.get(id);
  if (moment === undefined || gate === undefined) {
    return (
      <Panel title={id}>
        <p class="dim">The gate was not open yet at this moment.</p>
      </Panel>
    );
  }
  return <Gate key={`${moment.run} ${id}`} moment={moment} gate={gate} />;
}

function Gate({ moment, gate }: { readonly moment: Moment; readonly gate: GateView }) {
  const { run, state, isLatest } = moment;
  const { id, end, child } = gate;
  const facts = gateFacts(state, gate);
  const isOpen = end === undefined;
  const isAnswerable = isOpen && isLatest && !isReadOnly.value && child === undefined;
  const question = useRef<HTMLHeadingElement>(null);
  useEffect(() => question.current?.focus(), [isOpen]);
  return (
    <Panel
      title={facts.question}
      label={`${id}: ${facts.kind}`}
      over={overText(moment, gate, facts.kind)}
      titleRef={question}
      kind="gate-panel"
      level={1}
    >
      {facts.rest !== '' && <p class="prompt">{facts.rest}</p>}
      {isOpen && <p>{facts.consequences.join(' ')}</p>}
      <p class="dim">
        asked by <StepLink id={gate.step} />
        {gate.expiresAt !== undefined &&
          isOpen &&
          `, until ${instantText(gate.expiresAt, gate.openedAt)}; then ${expiryText[gate.onExpiry]}`}
      </p>
      {child !== undefined && (
        <p>
          Answer it in its own run: <RunLink run={child.run} />
        </p>
      )}
      {!isOpen && <Decided moment={moment} gate={gate} />}
      <Loaded of={`${run} ${id} ${isOpen}`} load={() => gateForm(run, id)}>
        {(form) => (
          <>
            {isAnswerable ? (
              <GateDecision
                key={id}
                run={run}
                form={form}
                evidence={<GateEvidence moment={moment} gate={gate} facts={facts} form={form} />}
              />
            ) : (
              <>
                <GateContext form={form} showsPlan />
                {isOpen && <GateEvidence moment={moment} gate={gate} facts={facts} form={form} />}
              </>
            )}
            {isOpen && <p class="dim">{noteFor(moment)}</p>}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** Says why the gate cannot be answered now, or who goes on with the run. */
function noteFor({ isLatest }: Moment): string {
  if (!isLatest) return 'Gates are answered at the latest event: press the full stop key, or go back to now.';
  if (isReadOnly.value) return 'It cannot be answered here, because the store is read-only.';
  if (summary.value?.driven === false) {
    return "No process drives this run: after the answer it continues in the inspector's process.";
  }
  return '';
}

/** `review · asked 2m ago · question 1 of 3` */
function overText({ state, isLatest }: Moment, { id, openedAt, end }: GateView, kind: string): string {
  const gates = openGates.value;
  const place = gates.findIndex(({ gate }) => gate === id || gate.startsWith(`${id}/`));
  const age = (isLatest ? Date.now() : state.at) - openedAt;
  return [
    kind,
    ...(end === undefined && age >= 0 ? [`asked ${durationText(Math.max(1_000, age))} ago`] : []),
    ...(place >= 0 && gates.length > 1 ? [`question ${place + 1} of ${gates.length}`] : []),
  ].join(' · ');
}

function Decided({ moment, gate }: { readonly moment: Moment; readonly gate: GateView }) {
  const found = moment.all.find(({ event }) => event.type === 'gate.decided' && event.gate === gate.id)?.event;
  if (found?.type !== 'gate.decided') return <p class="decided">{gate.end}</p>;
  const { verdict, by, why, value } = found;
  return (
    <div class="decided">
      <p>
        {verdict} by {by}
        {why === undefined ? '' : `: ${why}`}
      </p>
      {value !== undefined && <Stored kept={value} />}
    </div>
  );
}
