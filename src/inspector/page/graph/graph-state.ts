// The footprint of the run and what it shows. Only new steps or another size of the view cause a new layout.
import { computed, effect, signal } from '@preact/signals';
import type { Size } from '../../../view/graph/geometry.ts';
import { NARROW } from '../../../view/graph/map/camera-moves.ts';
import { layoutRun } from '../../../view/graph/map/chain-layout.ts';
import type { Level } from '../../../view/graph/map/display-list.ts';
import type { Footprint, Outline } from '../../../view/graph/map/footprint.ts';
import { outlineOf } from '../../../view/graph/map/outline.ts';
import type { GraphFacts, ShownGraph } from '../../../view/graph/map/shown-graph.ts';
import { type PhaseTree, topPhaseOf } from '../../../view/phases/phase-tree.ts';
import { phases } from '../state/phases.ts';
import { place } from '../state/place.ts';
import { latest, shown } from '../state/run.ts';
import { createFacts } from './graph-facts.ts';

/** The level that a person pinned; undefined follows the scale. */
export const pinnedLevel = signal<Level | undefined>(undefined);
/** The level that is drawn. */
export const drawnLevel = signal<Level>('middle');
/** The size of the view without the panel of a step, so that the panel moves nothing. */
export const viewSize = signal<Size | undefined>(undefined);
/** Finished phases that a person unfolded. */
export const unfolded = signal<ReadonlySet<string>>(new Set());

/** The structure of the whole run, also while a person looks at the past: nothing moves on the way through time. */
const outline = signal<{ readonly run: string; readonly outline: Outline } | undefined>(undefined);

/** Layouts take at most this part of the time, so that the page can fold a long run while it arrives. */
const SHARE = 0.1;

/** Returns a function that ends it. */
export function keepOutlined(): () => void {
  let known = '';
  let free = 0;
  let later: ReturnType<typeof setTimeout> | undefined;

  function update(): void {
    clearTimeout(later);
    const moment = latest.peek();
    if (moment === undefined) {
      outline.value = undefined;
      return;
    }
    const { run, state } = moment;
    const key = `${run} ${state.steps.size} ${state.graph.living.size} ${state.phases.size}`;
    if (key === known) return;
    const now = performance.now();
    if (now < free && outline.peek()?.run === run) {
      later = setTimeout(update, free - now);
      return;
    }
    known = key;
    outline.value = { run, outline: outlineOf(state, shown.peek() === moment ? phases.peek() : undefined) };
    const taken = performance.now() - now;
    free = now + taken / SHARE;
  }

  const stop = effect(() => {
    latest.value;
    update();
  });
  return () => {
    stop();
    clearTimeout(later);
  };
}

const small = matchMedia(`(max-width: ${NARROW - 1}px)`);
/** On a small screen the graph is a list of phases, or one phase. */
export const isNarrow = signal(small.matches);
small.addEventListener('change', () => {
  isNarrow.value = small.matches;
});

/** The phase that a person opened on a small screen; undefined shows the list. */
export const openedPhase = signal<string | undefined>(undefined);

/** A chosen phase is never folded. */
const openOutline = computed<Outline | undefined>(() => {
  const whole = outline.value?.outline;
  const opened = openedPhase.value;
  if (whole !== undefined && isNarrow.value && opened !== undefined)
    return { ...whole, tree: { ...whole.tree, chain: [{ phase: opened }] } };
  if (whole === undefined || whole.foldable.size === 0) return whole;
  const chosen = place.value.step;
  const open = new Set(unfolded.value);
  const top = chosen === undefined ? undefined : topPhaseOf(whole.tree, chosen);
  if (top !== undefined) open.add(top);
  return open.size === 0 ? whole : { ...whole, foldable: whole.foldable.difference(open) };
});

const footprint = computed<Footprint | undefined>(() => {
  const size = viewSize.value;
  const whole = openOutline.value;
  return whole === undefined || size === undefined ? undefined : layoutRun(whole, size);
});

export const shownGraph = computed<ShownGraph | undefined>(() => {
  const [moment, whole, laid] = [shown.value, openOutline.value, footprint.value];
  if (moment === undefined || whole === undefined || laid === undefined || outline.value?.run !== moment.run)
    return undefined;
  return { footprint: laid, tree: whole.tree, needs: whole.needs, ...createFacts(moment) };
});

/** The phases with their facts, without a layout. */
export const shownTree = computed<(GraphFacts & { readonly tree: PhaseTree }) | undefined>(() => {
  const [moment, whole] = [shown.value, outline.value];
  if (moment === undefined || whole?.run !== moment.run) return undefined;
  return { tree: whole.outline.tree, ...createFacts(moment) };
});
