// The dialog that starts a template of the project, or runs a run again: its settings, then its bound, then the start.

import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { Issue } from '../../../base/issue.ts';
import type { StartForm, TemplateList } from '../../wire.schema.ts';
import { Issues } from '../parts/issues.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { asTyped } from '../state/as-typed.ts';
import { go, place } from '../state/place.ts';
import { isReadOnly } from '../state/run.ts';
import { setFilter } from '../state/run-list.ts';
import { startForm, templateList } from '../state/server.ts';
import { StartFields } from './start-fields.tsx';

/** The value of the filter `start` that asks for a template. */
export const NEW = 'new';

/** Open while the address has `start`: `new`, the file of a template, or the id of a run to run again. */
export function StartDialog() {
  const { run, filters } = place.value;
  const wanted = filters.start ?? '';
  return run !== undefined || wanted === '' ? null : <Dialog key={wanted} wanted={wanted} />;
}

function Dialog({ wanted }: { readonly wanted: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titled = useId();
  const isNew = wanted === NEW || wanted.includes('.');
  const file = useSignal(wanted.includes('.') ? wanted : '');
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="order start" aria-labelledby={titled} onClose={forget}>
      <div class="order-form">
        <h2 id={titled}>{isNew ? 'Start a run' : `Run ${wanted} again`}</h2>
        {isReadOnly.value ? (
          <p>This store can be read, but not written, so no run can be started here.</p>
        ) : (
          <>
            {isNew && (
              <Loaded of="templates" load={templateList}>
                {(list) => <Choose list={list} chosen={file.value} onChoose={(each) => (file.value = each)} />}
              </Loaded>
            )}
            {!isNew && <Form key={wanted} query={{ run: wanted }} onClose={() => dialog.current?.close()} />}
            {isNew && file.value !== '' && (
              <Form key={file.value} query={{ file: file.value }} onClose={() => dialog.current?.close()} />
            )}
          </>
        )}
        {(isReadOnly.value || (isNew && file.value === '')) && (
          <div class="verdicts">
            <button type="button" onClick={() => dialog.current?.close()}>
              Close
            </button>
          </div>
        )}
      </div>
    </dialog>
  );
}

/** The browser reports that the dialog was closed after the new run was opened. */
function forget(): void {
  if (place.peek().run === undefined) setFilter('start', '');
}

interface ChooseProps {
  readonly list: TemplateList;
  readonly chosen: string;
  readonly onChoose: (file: string) => void;
}

function Choose({ list: { templates }, chosen, onChoose }: ChooseProps) {
  const id = useId();
  if (templates.length === 0) {
    return (
      <p>
        This project has no template. Put one into the folder <code>templates</code>, or write one with{' '}
        <code>{asTyped('reconverge init')}</code>.
      </p>
    );
  }
  return (
    <div class="field">
      <label for={id}>Template</label>
      <select id={id} value={chosen} onChange={(event) => onChoose(event.currentTarget.value)}>
        <option value="">choose one …</option>
        {templates.map(({ file, name }) => (
          <option key={file} value={file}>
            {name === undefined ? file : `${name} (${file})`}
          </option>
        ))}
      </select>
    </div>
  );
}

interface FormProps {
  readonly query: Readonly<Record<string, string>>;
  readonly onClose: () => void;
}

/** Choosing an environment loads the form again, because it changes models, planners and limits. */
function Form({ query, onClose }: FormProps) {
  const environment = useSignal<string | undefined>(undefined);
  const asked = environment.value === undefined ? query : { ...query, environment: environment.value };
  return (
    <Loaded of={JSON.stringify(asked)} load={() => startForm(asked)}>
      {(form) =>
        isRefused(form) ? (
          <>
            <div role="alert">
              <Issues issues={form.issues} />
            </div>
            <div class="verdicts">
              <button type="button" onClick={onClose}>
                Close
              </button>
            </div>
          </>
        ) : (
          <StartFields
            form={form}
            onEnvironment={(chosen) => (environment.value = chosen)}
            onClose={onClose}
            onStarted={(run) => {
              go({ run, filters: { ...place.peek().filters, start: '' } });
              onClose();
            }}
          />
        )
      }
    </Loaded>
  );
}

function isRefused(
  form: StartForm | { readonly issues: readonly Issue[] },
): form is { readonly issues: readonly Issue[] } {
  return 'issues' in form;
}
