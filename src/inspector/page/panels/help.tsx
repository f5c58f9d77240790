// The help: keys, and the meaning of signs and lines.
import { useEffect, useRef } from 'preact/hooks';
import type { StepStatus } from '../../../engine/state/state.ts';
import { Status } from '../parts/status.tsx';
import { isHelpOpen, keys } from '../state/keys.ts';

const statuses: readonly (readonly [StepStatus, string])[] = [
  ['waiting', 'it waits for its dependencies'],
  ['ready', 'it may start'],
  ['running', 'it is under way'],
  ['retrying', 'it starts again after a pause'],
  ['held', 'a person is asked'],
  ['completed', 'it has its result'],
  ['resolved', 'a person supplied its result'],
  ['failed', 'it has no result'],
  ['skipped', 'it was not needed, or could not run'],
  ['cancelled', 'the run ended first'],
  ['superseded', 'a repair plans it again'],
];

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
            {statuses.map(([status, meaning]) => (
              <div key={status}>
                <dt>
                  <Status status={status} text={status} />
                </dt>
                <dd>{meaning}</dd>
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
