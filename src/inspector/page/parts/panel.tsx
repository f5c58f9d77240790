// A drawer beside the graph, with a head and a close button.
import type { ComponentChildren } from 'preact';
import { go } from '../state/place.ts';

interface PanelProps {
  readonly title: string;
  /** The name of the drawer; absent: its title. */
  readonly label?: string;
  /** The line over the title: where the subject of the drawer stands. */
  readonly over?: string;
  readonly head?: ComponentChildren;
  readonly what?: string;
  readonly children: ComponentChildren;
}

export function Panel({ title, label = title, over, head, what, children }: PanelProps) {
  return (
    <aside class="panel" aria-label={label} tabIndex={-1}>
      <div class="panel-head">
        <p class="dim">{over}</p>
        <h2 title={label}>
          {title.split('/').map((part, index) => (index === 0 ? part : [<wbr key={index} />, `/${part}`]))}
        </h2>
        <button
          type="button"
          class="quiet"
          aria-label="Close"
          title="esc"
          onClick={() => go({ step: undefined, gate: undefined })}
        >
          ×
        </button>
      </div>
      <p class="panel-what">
        {head} <span class="dim">{what}</span>
      </p>
      {children}
    </aside>
  );
}
