// The help: keys, and the meaning of signs and lines.
import { useEffect, useRef } from 'preact/hooks';
import { type ShownStatus, shownStatuses } from '../../../view/phases/shown-status.ts';
import { statusWords } from '../../../view/phases/status-glyphs.ts';
import { Status } from '../parts/status.tsx';
import { isHelpOpen, keys } from '../state/keys.ts';

const meanings: Readonly<Record<ShownStatus, string>> = {
  completed: 'it has its result, or a person gave it one',
  running: 'it is at work',
  retrying: 'it failed, and begins again after a pause',
  queued: 'it could begin, and waits for a free place',
  asks: 'it waits for a person',
  waiting: 'it waits for other steps',
  not_run: 'it was not needed, could not run, or the run ended first',
  replaced: 'a replan plans it again',
  failed: 'it has no result',
};

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = isHelpOpen.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const close = (): void => {
    isHelpOpen.value = false;
  };
  return (
    <dialog ref={dialog} class="help" onClose={close} aria-label="Keys and signs">
      {isOpen && (
        <>
          <h2 tabIndex={-1} autofocus>
            Keys
          </h2>
          <dl class="keys">
            {keys.map(({ shown, does }) => (
              <div key={shown}>
                <dt>
                  <kbd>{shown}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
          <h2>Signs</h2>
          <dl class="keys">
            {shownStatuses.map((status) => (
              <div key={status}>
                <dt>
                  <Status status={status} text={statusWords[status]} />
                </dt>
                <dd>{meanings[status]}</dd>
              </div>
            ))}
          </dl>
          <p class="dim">
            A frame holds the steps of one plan, or the items of a fan-out (≡). A nested plan (▣) stands between its
            planner and the step where it comes together, and a replan (⟲, dashed) beside the step that it replaces. A
            step with a bar at its left was kept from the plan before. Dashed steps and lines never ran.
          </p>
          <button type="button" onClick={close}>
            close
          </button>
        </>
      )}
    </dialog>
  );
}
