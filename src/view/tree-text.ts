// Prints the tree of a run; on a short terminal only the steps that matter now.

import { counted, shareOf } from '../base/counted.ts';
import { durationText } from '../base/quantity.ts';
import { type Line, type Span, shorten, span } from './line.ts';
import { repairOutcomeText } from './repair-outcome.ts';
import type { TreeStep } from './run-tree.ts';
import { countsText, repairsText, statusMark } from './status.ts';
import {
  countFolded,
  type Folding,
  foldedByNeed,
  hardlyFolded,
  screenFoldings,
  unfolded,
  WHOLE_TREE,
  withAllBelow,
} from './tree-folding.ts';

export interface ScreenSize {
  readonly columns: number;
  /** Absent: no limit. */
  readonly rows?: number;
  /** The last log line of each running step, by its id. */
  readonly details?: ReadonlyMap<string, string>;
}

export function treeText(
  tree: readonly TreeStep[],
  { columns, rows = Number.POSITIVE_INFINITY, details }: ScreenSize,
): readonly Line[] {
  let lines: readonly Line[] = [];
  for (const folding of screenFoldings) {
    lines = levelLines(tree, 0, { folding, details }).map((line) => shorten(line, columns));
    if (lines.length <= rows) return lines;
  }
  const hidden = lines.length - rows + 1;
  return [...lines.slice(0, Math.max(0, rows - 1)), [span(`… ${hidden} more`, 'dim')]];
}

export interface FoldedTree {
  readonly lines: readonly Line[];
  /** The number of steps that have no line of their own. */
  readonly folded: number;
}

/**
 * The tree for a page of text: of a small run all steps, of a large one those that need a reader, and of the others their number.
 * @param opener the option that shows all steps, for the lines that fold some; undefined: all steps are shown
 */
export function foldedTreeText(tree: readonly TreeStep[], columns: number, opener: string | undefined): FoldedTree {
  const all = tree.flatMap(withAllBelow);
  const folding = opener === undefined ? unfolded : all.length <= WHOLE_TREE ? hardlyFolded : foldedByNeed;
  const lines = levelLines(tree, 0, { folding, opener });
  return {
    lines: lines.map((line) => shorten(line, columns)),
    folded: countFolded(tree, folding),
  };
}

interface TreeParts {
  readonly folding: Folding;
  readonly details?: ScreenSize['details'];
  readonly opener?: string | undefined;
}

/** The lines of steps beside each other, and of all below them. */
function levelLines(steps: readonly TreeStep[], depth: number, parts: TreeParts, within?: TreeStep): Line[] {
  const { shown, hidden } = parts.folding(steps, within);
  return [
    ...shown.flatMap((each) => stepLines(each, depth, parts)),
    ...(hidden.length === 0 ? [] : [foldedLine(hidden, depth, parts.opener)]),
  ];
}

function stepLines(step: TreeStep, depth: number, parts: TreeParts): Line[] {
  return [
    stepLine(step, depth, parts.details?.get(step.id)),
    ...levelLines(step.steps, depth + 1, parts, step),
    ...step.repairs.flatMap((each) => stepLines(each, depth + 1, parts)),
  ];
}

function indent(depth: number): Span {
  return span('  '.repeat(depth));
}

function stepLine(step: TreeStep, depth: number, detail: string | undefined): Line {
  const { sign, tone } = statusMark(step.status);
  return [
    indent(depth),
    span(`${sign} `, tone),
    span(step.name, step.type === 'planning' ? 'strong' : undefined),
    ...remarks(step).flatMap((remark) => [span('  '), remark]),
    ...(detail === undefined || step.status !== 'running' ? [] : [span('  '), span(`· ${detail}`, 'dim')]),
  ];
}

/** Remarks about a step, the most important first: a narrow terminal cuts the rest. */
function remarks(step: TreeStep): Span[] {
  const { status, duration, attempts, failure, takenUp, root, converged, steps } = step;
  const { tone } = statusMark(status);
  const found: Span[] = [];
  if (status !== 'completed')
    found.push(span(step.resolvedBy === undefined ? step.text : `${step.text} by ${step.resolvedBy}`, tone));
  if (takenUp !== undefined)
    found.push(span(repairOutcomeText(takenUp), takenUp.outcome === 'failed' ? 'bad' : 'warn'));
  if (step.adopted !== undefined) found.push(span(adoptedText(step.adopted)));
  if (step.failing !== undefined) found.push(span(repairsText(step.failing)));
  if (steps.length > 0 || foundNoItems(step)) found.push(span(underText(step)));
  else if (step.rationale !== undefined) found.push(span(emptyPlanText(step.rationale)));
  if (converged !== undefined && converged.expected > 0) found.push(convergedText(converged));
  if (status === 'completed' || status === 'running') found.push(span(workText(step), 'dim'));
  if (step.child !== undefined) found.push(span(`run ${step.child}`, 'dim'));
  if (duration !== undefined) found.push(span(durationText(duration), 'dim'));
  if (attempts > 1) found.push(span(`attempt ${attempts}`, 'warn'));
  if (step.verified) found.push(span('verified', 'dim'));
  const { attachments = [] } = step;
  if (attachments.length > 0)
    found.push(span(`about ${attachments.map(({ ref, label }) => label ?? ref).join(', ')}`, 'dim'));
  if (failure !== undefined) found.push(span(`${failure.code}: ${failure.message}`, tone));
  else if (root !== undefined && status !== 'superseded') found.push(span(`because of ${root}`, 'dim'));
  return found;
}

/** `agent reader: files.list` */
function workText({ type, capability, agent, asks }: TreeStep): string {
  const who = capability ?? (agent === undefined ? type : `agent ${agent}`);
  return asks === undefined ? who : `${who}: ${asks}`;
}

function adoptedText({ from, run }: TreeStep['adopted'] & object): string {
  return `adopted from ${from}${run === undefined ? '' : ` of run ${run}`}`;
}

/** True if a fan-out completed without steps because its list was empty. */
function foundNoItems({ type, status, steps }: TreeStep): boolean {
  return type === 'fan_out' && status === 'completed' && steps.length === 0;
}

/** `grew nothing: there is no file to read` */
function emptyPlanText(rationale: string): string {
  return rationale === '' ? 'grew nothing' : `grew nothing: ${rationale}`;
}

/** `grew 3 steps`, `12 items: 9 completed, 2 failed, 1 running` */
function underText({ type, steps }: TreeStep): string {
  if (type !== 'fan_out') return `grew ${counted(steps.length, 'step')}`;
  if (steps.length === 0) return counted(0, 'item');
  return `${counted(steps.length, 'item')}: ${countsText(steps.map(({ status }) => status))}`;
}

function convergedText({ succeeded, expected, partial }: TreeStep['converged'] & object): Span {
  const all = shareOf(succeeded, expected, 'branch', 'branches');
  return partial ? span(`${all}, partial`, 'warn') : span(all, 'dim');
}

/** `… 12 completed, 3 superseded`, `… 12 completed (--all)` */
function foldedLine(hidden: readonly TreeStep[], depth: number, opener: string | undefined): Line {
  const statuses = hidden.flatMap(withAllBelow).map(({ status }) => status);
  const option = opener === undefined ? '' : ` (${opener})`;
  return [indent(depth), span(`… ${countsText(statuses)}${option}`, 'dim')];
}
