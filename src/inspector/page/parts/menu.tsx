// A button that opens a list of further buttons; a click elsewhere, escape, or one of them closes it.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface MenuProps {
  readonly label: string;
  readonly sign: string;
  readonly children: ComponentChildren;
}

export function Menu({ label, sign, children }: MenuProps) {
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = ({ target }: Event): void => {
      const { current } = box;
      if (current?.open !== true) return;
      if (target instanceof Node && current.contains(target) && !isItem(target)) return;
      current.open = false;
    };
    document.addEventListener('click', close);
    return () => document.removeEventListener('click', close);
  }, []);
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || box.current?.open !== true) return;
    event.stopPropagation();
    box.current.open = false;
    box.current.querySelector('summary')?.focus();
  };
  return (
    <details class="menu" ref={box} onKeyDown={onKey}>
      <summary aria-label={label} title={label}>
        {sign}
      </summary>
      <div class="menu-items">{children}</div>
    </details>
  );
}

/** A click on one of the buttons of the list. */
function isItem(target: Node): boolean {
  return target instanceof Element && target.closest('.menu-items button') !== null;
}
