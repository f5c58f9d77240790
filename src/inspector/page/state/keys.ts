// The keyboard shortcuts, active while no text is being typed.
import { signal } from '@preact/signals';
import { openGates } from './gates.ts';
import { openOrder } from './order-state.ts';
import { go, place, viewKeys, views, whereAsked } from './place.ts';
import { isPlaying, showAt } from './playback.ts';
import { runs, shown } from './run.ts';
import { goToNextMarked } from './search.ts';
import { turnTheme } from './theme.ts';

export const isHelpOpen = signal(false);

interface Key {
  /** Names as in `KeyboardEvent.key`. */
  readonly keys: readonly string[];
  readonly shown: string;
  readonly does: string;
  readonly act: (key: string) => void;
}

const { graph: _, timeline: __, ...otherViews } = viewKeys;

export const keys: readonly Key[] = [
  {
    keys: ['?'],
    shown: '?',
    does: 'show these keys',
    act: () => {
      isHelpOpen.value = !isHelpOpen.value;
    },
  },
  { keys: ['/'], shown: '/', does: 'search', act: () => focus('[data-key="search"]') },
  { keys: ['l'], shown: 'l', does: 'go to the list of runs', act: () => go({ run: undefined }) },
  {
    keys: ['j', 'k'],
    shown: 'j  k',
    does: 'go to the next or the previous run',
    act: (key) => nextRun(key === 'j' ? 1 : -1),
  },
  {
    keys: ['g'],
    shown: 'g',
    does: 'show the graph: arrows walk along the steps, shift and arrows move it, enter opens',
    act: toGraph,
  },
  { keys: ['t'], shown: 't', does: 'show the timeline', act: () => go({ view: 'timeline' }) },
  {
    keys: Object.values(otherViews),
    shown: Object.values(otherViews).join('  '),
    does: `show ${Object.keys(otherViews).join(', ')}`,
    act: (key) => go({ view: views.find((view) => viewKeys[view] === key) ?? 'graph' }),
  },
  { keys: ['a'], shown: 'a', does: 'go to the next question to people', act: nextQuestion },
  {
    keys: ['n', 'p'],
    shown: 'n  p',
    does: 'go to the next or the previous failure, or found step during a search',
    act: (key) => goToNextMarked(key === 'n' ? 1 : -1),
  },
  {
    keys: ['1', '2', '3'],
    shown: '1  2  3',
    does: 'draw the graph as phases, as steps or as cards',
    act: (key) => press(`level-${key}`),
  },
  { keys: ['0'], shown: '0', does: 'show the whole graph', act: () => press('fit') },
  { keys: ['+', '='], shown: '+', does: 'zoom in', act: () => press('zoom-in') },
  { keys: ['-'], shown: '−', does: 'zoom out', act: () => press('zoom-out') },
  {
    keys: ['[', ']'],
    shown: '[  ]',
    does: 'go one event back or forward',
    act: (key) => stepTime(key === '[' ? -1 : 1),
  },
  { keys: ['.'], shown: '.', does: 'go to the latest event', act: () => showAt(undefined) },
  {
    keys: [' '],
    shown: 'space',
    does: 'play the run, or stop',
    act: () => {
      isPlaying.value = !isPlaying.value;
    },
  },
  { keys: ['d'], shown: 'd', does: 'switch between dark and light', act: turnTheme },
  { keys: ['Escape'], shown: 'esc', does: 'go back: close the help, or the step or question', act: close },
];

export function keepKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || openOrder.value !== undefined || isTyping(event)) return;
    const key = keys.find((each) => each.keys.includes(event.key));
    if (key === undefined) return;
    event.preventDefault();
    key.act(event.key);
  });
}

/** A focused button handles the space key itself. */
function isTyping({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (key === ' ' && target.closest('button, summary, [role=button]') !== null) return true;
  return target.closest('input:not([type=range]), textarea, select') !== null;
}

function focus(selector: string): void {
  const found = document.querySelector(selector);
  if (found instanceof HTMLElement) found.focus();
}

function press(name: string): void {
  const found = document.querySelector(`[data-key="${name}"]`);
  if (found instanceof HTMLElement) found.click();
}

/** Focuses the graph at once if it is visible, so that the next key reaches it, and otherwise after it is drawn. */
function toGraph(): void {
  go({ view: 'graph' });
  focus('.canvas');
  requestAnimationFrame(() => focus('.canvas'));
}

function close(): void {
  if (isHelpOpen.value) isHelpOpen.value = false;
  else go({ step: undefined, gate: undefined });
}

function nextQuestion(): void {
  const open = openGates.value;
  const here = open.findIndex(({ gate }) => gate === place.value.gate);
  const next = open[here + 1] ?? open[0];
  if (next !== undefined) go(whereAsked(next.gate, next.run));
}

function nextRun(by: number): void {
  const ids = (runs.value ?? []).map(({ id }) => id);
  const next = ids[ids.indexOf(place.value.run ?? '') + by];
  if (next !== undefined) go({ run: next });
}

function stepTime(by: number): void {
  const version = shown.value?.version;
  if (version !== undefined) showAt(version + by);
}
