// The tabs for the views of a run, and the tools of the chosen view at their right.
import type { ComponentChildren } from 'preact';
import { Tabs } from '../parts/tabs.tsx';
import { go, place, viewKeys, views } from '../state/place.ts';

export const VIEW_PANEL = 'view';

export function ViewTabs({ children }: { readonly children?: ComponentChildren }) {
  return (
    <div class="views">
      <Tabs
        label="Ways to look at the run"
        tabs={views.map((name) => ({ name, label: titled(name), title: `${name} (${viewKeys[name]})` }))}
        chosen={place.value.view}
        panel={VIEW_PANEL}
        onChoose={(view) => go({ view })}
      />
      {children}
    </div>
  );
}

function titled(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
