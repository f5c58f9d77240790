// Prints the difference of two runs.
import { counted } from '../../base/counted.ts';
import type { Json } from '../../base/json.ts';
import { moneyText } from '../../base/quantity.ts';
import { type Line, shorten, span, type Tone } from '../line.ts';
import { table } from '../table.ts';
import type { PlanDifference, RunDifference, StepDifference } from './run-diff.ts';
import type { ValueDifference } from './value-diff.ts';

/** The most differences shown of one value. */
const SHOWN = 8;
const WIDE = 48;

export function runDiffText(diff: RunDifference): readonly Line[] {
  const { left, right, common, template, status } = diff;
  const same = common === undefined ? '' : `; the same up to event ${common}`;
  return [
    [span(`${left} → ${right}`, 'strong'), span(same, 'dim')],
    ...(template === undefined ? [] : [[span('template  '), span('another one, or another budget', 'warn')]]),
    ...(status === undefined ? [] : [sides('status  ', status.left ?? '', status.right ?? '')]),
    ...section('input', diff.input.flatMap(valueLine)),
    ...section('plans', diff.plans.flatMap(planLines)),
    ...section('steps', diff.steps.flatMap(stepLines)),
    ...section('output', values(diff.output)),
    ...section('spent', spentLines(diff)),
  ];
}

function section(title: string, lines: readonly Line[]): readonly Line[] {
  return lines.length === 0 ? [] : [[], [span(title, 'strong')], ...lines];
}

function sides(before: string, left: string, right: string): Line {
  return [span(before), span(left, 'bad'), span(' → '), span(right, 'good')];
}

function planLines({ planner, left, right, steps }: PlanDifference): readonly Line[] {
  if (left === undefined) return [[span(`  + ${planner}  `, 'good'), span(right?.rationale ?? '', 'dim')]];
  if (right === undefined) return [[span(`  - ${planner}  `, 'bad'), span(left.rationale, 'dim')]];
  const named = (sign: string, names: readonly string[], tone: Tone): readonly Line[] =>
    names.map((name) => [span(`    ${sign} ${name}`, tone)]);
  return [
    [span(`  ~ ${planner}`, 'warn')],
    ...(left.rationale === right.rationale ? [] : [sides('    ', left.rationale, right.rationale)]),
    ...named('+', steps?.added ?? [], 'good'),
    ...named('-', steps?.removed ?? [], 'bad'),
    ...(steps?.changed ?? []).map(({ step, keys }): Line => [span(`    ~ ${step}: ${keys.join(', ')}`, 'warn')]),
  ];
}

function stepLines({ step, left, right, result = [], input, attempts }: StepDifference): readonly Line[] {
  if (left === undefined) return [[span(`  + ${step}  `, 'good'), span(right ?? '', 'dim')]];
  if (right === undefined) return [[span(`  - ${step}  `, 'bad'), span(left, 'dim')]];
  const notes = [
    ...(input ? ['another input'] : []),
    ...(attempts === undefined ? [] : [`${attempts.left} → ${attempts.right} attempts`]),
  ].join(', ');
  const first: Line =
    left === right
      ? [span(`  ~ ${step}  `, 'warn'), span(notes, 'dim')]
      : [...sides(`  ~ ${step}  `, left, right), span(notes === '' ? '' : `  ${notes}`, 'dim')];
  return [first, ...values(result).map((line): Line => [span('  '), ...line])];
}

function values(differences: readonly ValueDifference[]): readonly Line[] {
  const more = differences.length - SHOWN;
  return [
    ...differences.slice(0, SHOWN).flatMap(valueLine),
    ...(more > 0 ? [[span(`  and ${counted(more, 'more difference')}`, 'dim')]] : []),
  ];
}

function valueLine({ path, left, right }: ValueDifference): readonly Line[] {
  return [[span(`  ${path === '' ? '(all)' : path}  `), ...shown(left, 'bad'), span(' → '), ...shown(right, 'good')]];
}

function shown(value: Json | undefined, tone: Tone): Line {
  if (value === undefined) return [span('nothing', 'dim')];
  return shorten([span(JSON.stringify(value), tone)], WIDE);
}

function spentLines({ left, right, spent }: RunDifference): readonly Line[] {
  if (spent.length === 0) return [];
  const rows = spent.map((row) => {
    const text = (value: number): string => (row.resource === 'cost_usd' ? moneyText(value) : String(value));
    const more = row.right - row.left;
    const by = row.resource === 'cost_usd' ? moneyText(Math.abs(more)) : String(Math.abs(more));
    return [
      span(`  ${row.resource}`),
      span(text(row.left)),
      span(text(row.right)),
      span(`${more > 0 ? '+' : '−'}${by}`, more > 0 ? 'bad' : 'good'),
    ];
  });
  const columns = [
    { title: '' },
    { title: left, align: 'right' as const },
    { title: right, align: 'right' as const },
    { title: 'by', align: 'right' as const },
  ];
  return table(columns, rows);
}
