// The input and output of a run, the files that it wrote, its origin, and the orders of its goal: links that open a dialog.
import { type Signal, useSignal } from '@preact/signals';
import type { StoredValue } from '../../../engine/record/event-parts.schema.ts';
import { type WrittenFile, writtenFiles } from '../../../view/head/written-files.ts';
import type { Summary } from '../../../view/summary.ts';
import { RunLink } from '../parts/run-link.tsx';
import type { Moment } from '../state/run.ts';
import { type OpenedValue, RunValueDialog } from './run-value-dialog.tsx';

/** The most files with a link of their own. */
const FEW_FILES = 2;

export function RunValues({ moment, summary }: { readonly moment: Moment; readonly summary: Summary }) {
  const opened = useSignal<OpenedValue | undefined>(undefined);
  const { state } = moment;
  const files = writtenFiles(state);
  const { forked, orders = [] } = summary;
  const done = orders.filter(({ outcome }) => outcome !== 'not_done').length;
  return (
    <>
      <ul class="run-values" aria-label="Input and output">
        {forked !== undefined && (
          <li>
            fork of <RunLink run={forked.from} /> after event {forked.at}
          </li>
        )}
        {orders.length > 0 && (
          <li data-outcome="orders">
            <OpenLink opened={opened} what="orders">{`${done} of ${orders.length} orders of the goal done`}</OpenLink>
          </li>
        )}
        <Kept opened={opened} what="input" kept={state.input} />
        {state.ended === undefined ? (
          <li class="dim">{outputNote(summary)}</li>
        ) : (
          <Kept opened={opened} what="output" kept={state.ended.output} />
        )}
        <Files opened={opened} files={files} />
      </ul>
      {opened.value !== undefined && <RunValueDialog moment={moment} summary={summary} opened={opened} files={files} />}
    </>
  );
}

function Kept({ opened, what, kept }: OpenProps & { readonly what: 'input' | 'output'; readonly kept: StoredValue }) {
  const name = what === 'input' ? 'Input' : 'Output';
  if (isEmpty(kept)) return <li class="dim">{name} none</li>;
  return (
    <li>
      <OpenLink opened={opened} what={what}>
        {name}
      </OpenLink>
    </li>
  );
}

function Files({ opened, files }: OpenProps & { readonly files: readonly WrittenFile[] }) {
  if (files.length > FEW_FILES) {
    return (
      <li>
        <OpenLink opened={opened} what="files">{`${files.length} files`}</OpenLink>
      </li>
    );
  }
  return (
    <>
      {files.map((file) => (
        <li key={file.step}>
          <OpenLink opened={opened} what={file}>
            {file.path}
          </OpenLink>
        </li>
      ))}
    </>
  );
}

interface OpenProps {
  readonly opened: Signal<OpenedValue | undefined>;
}

function OpenLink({ opened, what, children }: OpenProps & { readonly what: OpenedValue; readonly children: string }) {
  return (
    <button
      type="button"
      class="link"
      aria-haspopup="dialog"
      onClick={() => {
        opened.value = what;
      }}
    >
      {children}
    </button>
  );
}

function outputNote({ gates, status }: Summary): string {
  if (gates.length > 0) return 'Output comes after the question';
  return status === 'running' ? 'Output comes at the end' : 'Output comes when the run goes on';
}

function isEmpty(kept: StoredValue): boolean {
  if (!('value' in kept)) return false;
  const { value } = kept;
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}
