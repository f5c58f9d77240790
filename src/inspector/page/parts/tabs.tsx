// A row of tabs: one tab stop, in which the arrow keys, home and end move.

interface Tab<T extends string> {
  readonly name: T;
  readonly label: string;
  readonly title?: string;
}

interface Props<T extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<T>[];
  readonly chosen: T;
  /** The id of the element that shows the chosen tab. */
  readonly panel: string;
  readonly onChoose: (name: T) => void;
}

export function Tabs<T extends string>({ label, tabs, chosen, panel, onChoose }: Props<T>) {
  const move = (event: KeyboardEvent): void => {
    const here = tabs.findIndex(({ name }) => name === chosen);
    const next = tabs[placeAfter(event.key, here, tabs.length) ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next.name);
    const list = event.currentTarget;
    if (list instanceof HTMLElement) list.querySelector<HTMLElement>(`[data-tab="${next.name}"]`)?.focus();
  };
  return (
    <div role="tablist" aria-label={label} tabIndex={-1} onKeyDown={move}>
      {tabs.map(({ name, label: text, title }) => (
        <button
          key={name}
          type="button"
          role="tab"
          data-tab={name}
          aria-selected={name === chosen}
          aria-controls={panel}
          tabIndex={name === chosen ? 0 : -1}
          title={title}
          onClick={() => onChoose(name)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

function placeAfter(key: string, here: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return (here + 1) % count;
    case 'ArrowLeft':
      return (here - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
