// Something that is looked at when one wants to: nothing of it is loaded before.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface Props {
  readonly title: ComponentChildren;
  readonly open?: boolean;
  readonly children: () => ComponentChildren;
}

export function Fold({ title, open = false, children }: Props) {
  const [isOpen, setOpen] = useState(open);
  return (
    <details class="fold" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && <div class="fold-inside">{children()}</div>}
    </details>
  );
}
