// A section that loads its content only when it is opened.
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
