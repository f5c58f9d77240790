// A dialog over the page with a title and a close button; closing it returns the focus to the element that opened it.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titled = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="reading" aria-labelledby={titled} onClose={onClose}>
      <div class="panel-head">
        <h2 id={titled} tabIndex={-1} autofocus>
          {title}
        </h2>
        <button type="button" class="quiet" aria-label="Close" title="esc" onClick={() => dialog.current?.close()}>
          ×
        </button>
      </div>
      {children}
    </dialog>
  );
}
