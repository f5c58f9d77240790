// The dialog over a run's head: its input, its output, a file that it wrote, or the orders of its goal.
import type { Signal } from '@preact/signals';
import type { OrderOutcome } from '../../../engine/record/run-events.schema.ts';
import type { WrittenFile } from '../../../view/head/written-files.ts';
import type { Summary } from '../../../view/summary.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Stored } from '../parts/value.tsx';
import { go } from '../state/place.ts';
import { eventsUntil, type Moment } from '../state/run.ts';
import { blobOf } from '../state/server.ts';
import { ReportText } from './report-text.tsx';

export type OpenedValue = 'input' | 'output' | 'files' | 'orders' | WrittenFile;

interface Props {
  readonly moment: Moment;
  readonly summary: Summary;
  readonly files: readonly WrittenFile[];
  readonly opened: Signal<OpenedValue | undefined>;
}

export function RunValueDialog({ moment, summary, files, opened }: Props) {
  const what = opened.value;
  const close = (): void => {
    opened.value = undefined;
  };
  const toStep = (step: string): void => {
    close();
    go({ step, gate: undefined });
  };
  if (what === undefined) return null;
  const { template, input, ended } = moment.state;
  if (typeof what !== 'string') {
    return (
      <Dialog key={what.step} title={what.path} onClose={close}>
        <p class="dim">
          written by <StepButton step={what.step} onClick={toStep} />
        </p>
        <FileText moment={moment} step={what.step} />
      </Dialog>
    );
  }
  return (
    <Dialog title={titles[what]} onClose={close}>
      {what === 'input' && (
        <>
          {template.description !== undefined && <p class="dim">{template.description}</p>}
          <Stored kept={input} />
        </>
      )}
      {what === 'output' && ended !== undefined && <Stored kept={ended.output} />}
      {what === 'files' && (
        <ul class="step-links">
          {files.map((file) => (
            <li key={file.step}>
              <button
                type="button"
                class="link"
                onClick={() => {
                  opened.value = file;
                }}
              >
                {file.path}
              </button>
            </li>
          ))}
        </ul>
      )}
      {what === 'orders' && <Orders orders={summary.orders ?? []} toStep={toStep} />}
    </Dialog>
  );
}

const titles = {
  input: 'Input of the run',
  output: 'Output of the run',
  files: 'Files that the run wrote',
  orders: 'Orders of the goal',
} as const;

function StepButton({ step, onClick }: { readonly step: string; readonly onClick: (step: string) => void }) {
  return (
    <button type="button" class="link" onClick={() => onClick(step)}>
      {step}
    </button>
  );
}

/** The input of the step's last attempt: the journal keeps it for every call that puts something out. */
function FileText({ moment, step }: { readonly moment: Moment; readonly step: string }) {
  const begun = eventsUntil(moment).findLast(({ event }) => event.type === 'attempt.started' && event.step === step);
  const digest = begun?.event.type === 'attempt.started' ? begun.event.input : undefined;
  if (digest === undefined) return <p class="dim">Its content is not kept with the run: open the file.</p>;
  return (
    <Loaded of={digest} load={() => blobOf(digest)}>
      {(input) => <ReportText input={input} />}
    </Loaded>
  );
}

function Orders({
  orders,
  toStep,
}: {
  readonly orders: readonly OrderOutcome[];
  readonly toStep: (step: string) => void;
}) {
  return (
    <ul class="goal-orders">
      {orders.map(({ says, outcome, steps, why }, index) => (
        <li key={`${index} ${says}`} class={outcome === 'not_done' ? 'text-bad' : ''} data-order={outcome}>
          {outcome.replaceAll('_', ' ')}: {says}{' '}
          {steps.map(({ step }) => (
            <span key={step} class="cause">
              <StepButton step={step} onClick={toStep} />
            </span>
          ))}
          {why !== undefined && <span class="dim"> {why}</span>}
        </li>
      ))}
    </ul>
  );
}
