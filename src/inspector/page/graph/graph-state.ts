// The footprint of the run and what it shows. Only new steps or another size of the view cause a new layout.
import { computed, signal } from '@preact/signals';
import type { Size } from '../../../view/graph/geometry.ts';
import { layoutRun } from '../../../view/graph/map/chain-layout.ts';
import type { Level } from '../../../view/graph/map/display-list.ts';
import type { Footprint, Outline } from '../../../view/graph/map/footprint.ts';
import { outlineOf } from '../../../view/graph/map/outline.ts';
import type { ShownGraph } from '../../../view/graph/map/shown-graph.ts';
import { topPhaseOf } from '../../../view/phases/phase-tree.ts';
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

interface KnownOutline {
  readonly key: string;
  readonly outline: Outline;
}

let known: KnownOutline | undefined;

/** The structure of the whole run, also while a person looks at the past: nothing moves on the way through time. */
const outline = computed<Outline | undefined>(() => {
  const moment = latest.value;
  if (moment === undefined) return undefined;
  const { run, state } = moment;
  const key = `${run} ${state.steps.size} ${state.graph.living.size} ${state.phases.size}`;
  if (known?.key !== key) known = { key, outline: outlineOf(state) };
  return known.outline;
});

/** A chosen phase is never folded. */
const openOutline = computed<Outline | undefined>(() => {
  const whole = outline.value;
  if (whole === undefined || whole.foldable.size === 0) return whole;
  const chosen = place.value.step;
  const open = new Set(unfolded.value);
  const top = chosen === undefined ? undefined : topPhaseOf(whole.tree, chosen);
  if (top !== undefined) open.add(top);
  return open.size === 0 ? whole : { ...whole, foldable: whole.foldable.difference(open) };
});

export const footprint = computed<Footprint | undefined>(() => {
  const size = viewSize.value;
  const whole = openOutline.value;
  return whole === undefined || size === undefined ? undefined : layoutRun(whole, size);
});

export const shownGraph = computed<ShownGraph | undefined>(() => {
  const [moment, whole, laid] = [shown.value, openOutline.value, footprint.value];
  if (moment === undefined || whole === undefined || laid === undefined) return undefined;
  return { footprint: laid, tree: whole.tree, needs: whole.needs, ...createFacts(moment) };
});
