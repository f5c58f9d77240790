// The tree of a run as lines that fit a terminal: all of it, or what matters now when it is short of rows.
import { durationText } from '../base/quantity.ts';
import { type Line, type Span, shorten, span } from './line.ts';
import type { TreeStep } from './run-tree.ts';
import { shownAs, statusText } from './status.ts';

export interface Room {
  readonly columns: number;
  /** Absent: as many as it takes. */
  readonly rows?: number;
}

/** From all to least: each is tried until one fits. */
const foldings: readonly ((step: TreeStep) => boolean)[] = [
  () => true,
  ({ status, steps }) => status === 'running' || status === 'retrying' || status === 'failed' || steps.length > 0,
  ({ status, steps }) => status === 'running' || steps.length > 0,
  () => false,
];

export function treeText(
  tree: readonly TreeStep[],
  { columns, rows = Number.POSITIVE_INFINITY }: Room,
): readonly Line[] {
  let lines: readonly Line[] = [];
  for (const isShown of foldings) {
    lines = tree.flatMap((step) => stepLines(step, 0, isShown)).map((line) => shorten(line, columns));
    if (lines.length <= rows) return lines;
  }
  const hidden = lines.length - rows + 1;
  return [...lines.slice(0, Math.max(0, rows - 1)), [span(`… ${hidden} more`, 'dim')]];
}

function stepLines(step: TreeStep, depth: number, isShown: (step: TreeStep) => boolean): Line[] {
  const inner = step.steps.filter(isShown);
  const hidden = step.steps.filter((each) => !isShown(each));
  return [
    stepLine(step, depth),
    ...inner.flatMap((each) => stepLines(each, depth + 1, isShown)),
    ...(hidden.length === 0 ? [] : [foldedLine(hidden, depth + 1)]),
  ];
}

function indent(depth: number): Span {
  return span('  '.repeat(depth));
}

function stepLine(step: TreeStep, depth: number): Line {
  const { sign, tone } = shownAs(step.status);
  return [
    indent(depth),
    span(`${sign} `, tone),
    span(step.name, step.type === 'planning' ? 'strong' : undefined),
    ...remarks(step).flatMap((remark) => [span('  '), remark]),
  ];
}

/** What is worth saying about a step, the most telling first, since a narrow terminal cuts the rest. */
function remarks(step: TreeStep): Span[] {
  const { status, duration, attempts, failure, root, converged, steps, type, capability } = step;
  const { tone } = shownAs(status);
  const found: Span[] = [];
  if (status !== 'completed') found.push(span(statusText({ status, skipped: step.skipped }), tone));
  if (steps.length > 0) found.push(span(`grew ${counted(steps.length, 'step')}`));
  if (converged !== undefined && converged.expected > 0) found.push(convergedText(converged));
  if (status === 'completed' || status === 'running') found.push(span(capability ?? type, 'dim'));
  if (duration !== undefined) found.push(span(durationText(duration), 'dim'));
  if (attempts > 1) found.push(span(`attempt ${attempts}`, 'warn'));
  if (step.verified) found.push(span('verified', 'dim'));
  if (failure !== undefined) found.push(span(`${failure.code}: ${failure.message}`, tone));
  else if (root !== undefined) found.push(span(`because of ${root}`, 'dim'));
  return found;
}

function convergedText({ succeeded, expected, partial }: TreeStep['converged'] & object): Span {
  const all = `${succeeded} of ${expected} branches`;
  return partial ? span(`${all}, partial`, 'warn') : span(all, 'dim');
}

/** `… 12 completed, 3 waiting` */
function foldedLine(hidden: readonly TreeStep[], depth: number): Line {
  const counts = new Map<string, number>();
  for (const { status } of hidden.flatMap(withAllBelow)) counts.set(status, (counts.get(status) ?? 0) + 1);
  const text = [...counts].map(([status, count]) => `${count} ${status}`).join(', ');
  return [indent(depth), span(`… ${text}`, 'dim')];
}

function withAllBelow(step: TreeStep): TreeStep[] {
  return [step, ...step.steps.flatMap(withAllBelow)];
}

/** `1 step`, `2 steps` */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
