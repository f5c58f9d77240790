// The first items of a list, and a button that shows the others.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

const FEW = 5;

interface Props {
  readonly items: readonly string[];
  readonly children: (item: string) => ComponentChildren;
}

export function ShortList({ items, children }: Props) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole || items.length <= FEW + 1 ? items : items.slice(0, FEW);
  return (
    <ul class="neighbors">
      {shown.map((item) => (
        <li key={item}>{children(item)}</li>
      ))}
      {shown.length < items.length && (
        <li>
          <button type="button" class="link" onClick={() => setWhole(true)}>
            {items.length - shown.length} more
          </button>
        </li>
      )}
    </ul>
  );
}
