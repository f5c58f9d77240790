// A drawer beside the graph, with a head and a close button.
import type { ComponentChildren, RefObject } from 'preact';
import { go } from '../state/place.ts';

interface PanelProps {
  readonly title: string;
  /** The name of the drawer; absent: its title. */
  readonly label?: string;
  /** The line over the title: where the subject of the drawer stands. */
  readonly over?: string;
  readonly head?: ComponentChildren;
  readonly titleRef?: RefObject<HTMLHeadingElement | null> | null;
  /** 1 for a drawer that is a page of its own on a phone. */
  readonly level?: 1 | 2;
  /** A further class of the drawer. */
  readonly kind?: string;
  readonly what?: string;
  readonly children: ComponentChildren;
}

export function Panel({
  title,
  label = title,
  over,
  head,
  what,
  titleRef = null,
  kind = '',
  level = 2,
  children,
}: PanelProps) {
  return (
    <aside class={`panel ${kind}`} aria-label={label} tabIndex={-1}>
      <div class="panel-head">
        <p class="dim">{over}</p>
        <h2 title={label} ref={titleRef} tabIndex={-1} aria-level={level}>
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
      {(head !== undefined || what !== undefined) && (
        <p class="panel-what">
          {head} <span class="dim">{what}</span>
        </p>
      )}
      {children}
    </aside>
  );
}
