// Decides which steps of a run's tree are drawn, and which ones a line with their number stands for.
import type { StepStatus } from '../engine/state/state.ts';
import type { TreeStep } from './run-tree.ts';

/** This many items of a fan-out are always shown. */
const FIRST_ITEMS = 3;
/** A tree of this many steps is shown whole. */
export const WHOLE_TREE = 40;

const moving: ReadonlySet<StepStatus> = new Set(['running', 'retrying', 'held']);

interface FoldedSteps {
  /** In their order. */
  readonly shown: readonly TreeStep[];
  readonly hidden: readonly TreeStep[];
}

/** Splits the steps below a step, or the topmost steps if the step is left out. */
export type Folding = (steps: readonly TreeStep[], within?: TreeStep) => FoldedSteps;

/** Foldings from all steps to the fewest, for a screen that draws the first whose tree fits. The topmost steps stay. */
export const screenFoldings: readonly Folding[] = [
  () => true,
  (step: TreeStep) => isRunningOrFailed(step) || hasUnder(step),
  (step: TreeStep) => step.status === 'running' || step.status === 'held' || hasUnder(step),
  () => false,
].map((isShown) => (steps, within) => {
  const isTelling = within === undefined ? () => true : tellingOf(within);
  return split(steps, (step, index) => within === undefined || (isShown(step) && isTelling(step, index)));
});

export const unfolded: Folding = (steps) => ({ shown: steps, hidden: [] });

/** Folds what `screenFoldings` folds at first: superseded steps, and most items of a fan-out. */
export const hardlyFolded: Folding = (steps, within) =>
  within === undefined ? unfolded(steps) : split(steps, tellingOf(within));

/**
 * Folds steps that need nobody: finished ones, and those that wait for their turn. Steps that failed, run, ask, ended in part
 * or were resolved by hand stay, and so do those with such a step below them, and the topmost phases.
 */
export const foldedByNeed: Folding = (steps, within) => {
  const isShown = (step: TreeStep): boolean =>
    needsReader(step) || [...step.steps, ...step.repairs].some(hasNeed) || (within === undefined && hasUnder(step));
  const folded = split(steps, isShown);
  const [only] = folded.hidden;
  // A line for a single step, or for the few steps between the topmost phases, would save nothing.
  const isSpared =
    within === undefined
      ? folded.hidden.length <= WHOLE_TREE / 2
      : folded.hidden.length === 1 && only !== undefined && only.status !== 'superseded' && !hasUnder(only);
  return isSpared ? unfolded(steps) : folded;
};

/** The number of steps without a line of their own. */
export function countFolded(steps: readonly TreeStep[], folding: Folding, within?: TreeStep): number {
  const { shown, hidden } = folding(steps, within);
  const below = (step: TreeStep): number =>
    step.repairs.reduce((sum, repair) => sum + below(repair), countFolded(step.steps, folding, step));
  return shown.reduce((sum, step) => sum + below(step), hidden.flatMap(withAllBelow).length);
}

/** The step and all below it. */
export function withAllBelow(step: TreeStep): TreeStep[] {
  return [step, ...[...step.steps, ...step.repairs].flatMap(withAllBelow)];
}

function hasNeed(step: TreeStep): boolean {
  return needsReader(step) || step.steps.some(hasNeed) || step.repairs.some(hasNeed);
}

function needsReader(step: TreeStep): boolean {
  return isRunningOrFailed(step) || step.status === 'resolved' || step.converged?.partial === true;
}

function isRunningOrFailed({ status, failure }: TreeStep): boolean {
  return moving.has(status) || status === 'failed' || (status !== 'superseded' && failure !== undefined);
}

/** Hides superseded steps, and most items of a fan-out. */
function tellingOf({ type, steps }: TreeStep): (step: TreeStep, index: number) => boolean {
  // A line that folds one step saves nothing.
  if (type !== 'fan_out' || steps.length <= FIRST_ITEMS + 1) return ({ status }) => status !== 'superseded';
  return ({ status }, index) => index < FIRST_ITEMS || status === 'failed' || moving.has(status);
}

function hasUnder({ steps, repairs }: TreeStep): boolean {
  return steps.length + repairs.length > 0;
}

function split(steps: readonly TreeStep[], isShown: (step: TreeStep, index: number) => boolean): FoldedSteps {
  const shown = steps.filter(isShown);
  const kept = new Set(shown);
  return { shown, hidden: steps.filter((step) => !kept.has(step)) };
}
