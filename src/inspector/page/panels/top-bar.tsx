// The top bar: search, the state of the connection, the theme, and the keys.

import { isHelpOpen } from '../state/keys.ts';
import { isLive, isReadOnly, shown } from '../state/run.ts';
import { found, goToNextFound, searched } from '../state/search.ts';
import { turnTheme } from '../state/theme.ts';

export function TopBar() {
  return (
    <header class="top-bar">
      <span class="brand">
        <svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
          <path d="M3 8c3 0 2-4.500 5-4.500S10 8 13 8M3 8c3 0 2 4.500 5 4.500S10 8 13 8" />
          <circle cx="2.500" cy="8" r="2" />
          <circle cx="13.500" cy="8" r="2" />
        </svg>
        reconverge
      </span>
      <Search />
      {isReadOnly.value && (
        <span class="touch" role="status" title="The store is read-only, so this page offers no orders.">
          read-only
        </span>
      )}
      <span class={`touch ${isLive.value ? 'live' : 'lost'}`} role="status">
        {isLive.value ? '● live' : '○ reconnecting …'}
      </span>
      <button type="button" class="quiet" onClick={turnTheme} aria-label="Turn dark or light" title="dark or light (t)">
        ◐
      </button>
      <button
        type="button"
        class="quiet"
        onClick={() => {
          isHelpOpen.value = true;
        }}
        aria-label="Keys and signs"
        title="keys and signs (?)"
      >
        ?
      </button>
    </header>
  );
}

function Search() {
  const hits = found.value;
  const count = shown.value?.state.steps.size ?? 0;
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') goToNextFound();
    if (event.key !== 'Escape') return;
    searched.value = '';
    if (event.currentTarget instanceof HTMLElement) event.currentTarget.blur();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: not all browsers know the `search` element
    <div class="search" role="search">
      <input
        type="search"
        data-key="search"
        placeholder="Search steps  ( / )"
        aria-label="Search the steps of this run"
        value={searched.value}
        onInput={(event) => {
          searched.value = event.currentTarget.value;
        }}
        onKeyDown={onKey}
      />
      {hits !== undefined && (
        <output>
          {hits.steps.length} of {count}
        </output>
      )}
    </div>
  );
}
