// The top bar: the way from the list of runs to this run, the search, the connection, the theme, and the keys.
import { RunLink } from '../parts/run-link.tsx';
import { isHelpOpen } from '../state/keys.ts';
import { go, place } from '../state/place.ts';
import { isLive, isReadOnly, shown, summary } from '../state/run.ts';
import { found, goToNextFound, searched } from '../state/search.ts';
import { turnTheme } from '../state/theme.ts';

export function TopBar() {
  return (
    <header class="top-bar">
      <Crumbs />
      {isReadOnly.value && (
        <span class="touch" role="status" title="The store is read-only, so this page offers no orders.">
          read-only
        </span>
      )}
      <span class={`touch ${isLive.value ? 'live' : 'lost'}`} role="status">
        {isLive.value ? '● ' : '○ '}
        <span class="live-word">{isLive.value ? 'live' : 'reconnecting …'}</span>
      </span>
      {place.value.run === undefined ? <FindRun /> : <FindStep />}
      <button type="button" class="quiet" onClick={turnTheme} aria-label="Turn dark or light" title="dark or light (d)">
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

function Crumbs() {
  const { run } = place.value;
  const { template, parent } = shown.value?.state ?? {};
  const isList = run === undefined;
  const toList = (event: MouseEvent): void => {
    event.preventDefault();
    go({ run: undefined });
  };
  return (
    <nav class="crumbs" aria-label="Where you are">
      <ol>
        <li>
          {/* biome-ignore lint/a11y/useValidAnchor: a link, so that it can be opened in another tab */}
          <a href="#runs" aria-current={isList ? 'page' : undefined} title="all runs (l)" onClick={toList}>
            <svg class="mark" viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
              <path d="M3 8c3 0 2-4.500 5-4.500S10 8 13 8M3 8c3 0 2 4.500 5 4.500S10 8 13 8" />
              <circle cx="2.500" cy="8" r="2" />
              <circle cx="13.500" cy="8" r="2" />
            </svg>
            Runs
          </a>
        </li>
        {parent !== undefined && !isList && (
          <li>
            <RunLink run={parent.run} step={parent.step} />
          </li>
        )}
        {!isList && (
          <li aria-current="page" title={template?.description}>
            <b>{template?.name ?? summary.value?.template}</b>
            {template?.environment !== undefined && <span class="dim">({template.environment}) </span>}
            <code>{run}</code>
          </li>
        )}
      </ol>
    </nav>
  );
}

function FindStep() {
  const hits = found.value;
  const count = shown.value?.state.steps.size ?? 0;
  return (
    <Find
      label="Search the steps of this run"
      placeholder="Find a step ( / )"
      value={searched.value}
      note={hits && `${hits.steps.length} of ${count}`}
      onInput={(text) => {
        searched.value = text;
      }}
      onEnter={goToNextFound}
    />
  );
}

/** The list of runs filters itself by the words in `filters.search`. */
function FindRun() {
  const { filters } = place.value;
  return (
    <Find
      label="Search the runs"
      placeholder="Find a run ( / )"
      value={filters.search ?? ''}
      note={undefined}
      onInput={(search) => go({ run: undefined, filters: { ...filters, search } })}
      onEnter={() => undefined}
    />
  );
}

interface FindProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly note: string | undefined;
  readonly onInput: (text: string) => void;
  readonly onEnter: () => void;
}

function Find({ label, placeholder, value, note, onInput, onEnter }: FindProps) {
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') onEnter();
    if (event.key !== 'Escape') return;
    onInput('');
    if (event.currentTarget instanceof HTMLElement) event.currentTarget.blur();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: not all browsers know the `search` element
    <div class="search" role="search">
      {note !== undefined && <output>{note}</output>}
      <input
        type="search"
        class="find"
        data-key="search"
        placeholder={placeholder}
        aria-label={label}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={onKey}
      />
    </div>
  );
}
