// The drawer of a gate: its question, its context, and the form for the answer.
import { Fold } from '../parts/fold.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Panel } from '../parts/panel.tsx';
import { RunLink } from '../parts/run-link.tsx';
import { StepLink } from '../parts/step-link.tsx';
import { Stored } from '../parts/value.tsx';
import { isReadOnly, shown, summary } from '../state/run.ts';
import { gateForm } from '../state/server.ts';
import { GateFormFields } from './gate-form.tsx';

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
  const { run, isLatest } = moment;
  const isAnswerable = isLatest && !isReadOnly.value;
  const isOpen = gate.end === undefined;
  const decided = moment.all.find(({ event }) => event.type === 'gate.decided' && event.gate === id)?.event;
  return (
    <Panel
      title={`${id}: ${gate.kind.replaceAll('_', ' ')}`}
      what={isOpen ? 'open' : (gate.end ?? '')}
      head={<StepLink id={gate.step} />}
    >
      <p class="prompt">{gate.prompt}</p>
      {gate.child !== undefined && (
        <p>
          Answer it in its own run: <RunLink run={gate.child.run} />
        </p>
      )}
      {!isOpen && decided?.type === 'gate.decided' && (
        <div class="decided">
          <p>
            {decided.verdict} by {decided.by}
            {decided.why === undefined ? '' : `: ${decided.why}`}
          </p>
          {decided.value !== undefined && <Stored kept={decided.value} />}
        </div>
      )}
      <Loaded of={`${run} ${id} ${isOpen}`} load={() => gateForm(run, id)}>
        {(form) => (
          <>
            {form.context.map(({ name, text }) => (
              <Fold key={name} title={name.replaceAll('_', ' ')} open={text.length < 1_500}>
                {() => <pre class="yaml">{text}</pre>}
              </Fold>
            ))}
            {form.plan !== undefined && !(isOpen && isAnswerable) && (
              <Fold title="plan" open>
                {() => <pre class="yaml">{form.plan}</pre>}
              </Fold>
            )}
            {isOpen && isAnswerable && gate.child === undefined && <GateFormFields key={id} run={run} form={form} />}
            {isOpen && !isLatest && <p class="dim">Gates are answered at the latest event: press l.</p>}
            {isOpen && isReadOnly.value && (
              <p class="dim">It cannot be answered here, because the store is read-only.</p>
            )}
            {isOpen && isAnswerable && gate.child === undefined && summary.value?.driven === false && (
              <p class="dim">No process drives this run: after the answer it continues in the inspector's process.</p>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}
