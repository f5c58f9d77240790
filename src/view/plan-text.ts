// Prints the steps of a template in an order in which they can run, each with its dependencies.
import type { FanOutSpec, PlannerSpec, StepSpec } from '../template/step-spec.ts';
import type { Template } from '../template/template.ts';
import { type Line, span } from './line.ts';
import { table } from './table.ts';

export function planText({ steps, repair }: Template): readonly Line[] {
  return table(
    [{ title: 'step' }, { title: 'type' }, { title: 'does' }, { title: 'after' }],
    [
      ...inOrder(steps).map((spec) => [
        span(spec.name, spec.planning === undefined ? undefined : 'strong'),
        span(spec.type),
        span(workOf(spec)),
        span(spec.dependencies.length === 0 ? '-' : spec.dependencies.join(', ')),
      ]),
      ...(repair === undefined
        ? []
        : [
            [
              span('repair', 'strong'),
              span('planning'),
              span(`repairs (${plannerText(repair.planning?.planner)})`),
              span('a failure'),
            ],
          ]),
    ],
  );
}

function workOf({ capability, planning, convergence, expr, fanOut, gate }: StepSpec): string {
  if (planning !== undefined) return `plans (${plannerText(planning.planner)}), converges at ${planning.target ?? '?'}`;
  if (fanOut !== undefined) return fanOutText(fanOut);
  if (gate !== undefined) return 'asks a person';
  const policy = convergence === undefined ? '' : ` (${convergence.policy})`;
  return `${capability ?? (expr === undefined ? 'gathers' : 'computes')}${policy}`;
}

/** `lisp, and a rule for repairs` */
function plannerText(planner: PlannerSpec | undefined): string {
  if (planner === undefined) return 'as its parent';
  return 'repair' in planner && planner.repair !== undefined ? `${planner.kind}, and a rule for repairs` : planner.kind;
}

/** `csv.profile for each item, at most 20 wide` */
function fanOutText({ do: spec, maxWidth, batchSize }: FanOutSpec): string {
  const each = batchSize === undefined ? 'item' : `${batchSize} items or more`;
  return `${workOf(spec)} for each ${each}, at most ${maxWidth} wide`;
}

/** The written order, changed so that each step stands behind its dependencies. */
function inOrder(steps: readonly StepSpec[]): StepSpec[] {
  const left = [...steps];
  const placed = new Set<string>();
  const ordered: StepSpec[] = [];
  while (left.length > 0) {
    const next = left.findIndex(({ dependencies }) => dependencies.every((name) => placed.has(name)));
    const [spec] = left.splice(Math.max(0, next), 1);
    if (spec === undefined) break;
    placed.add(spec.name);
    ordered.push(spec);
  }
  return ordered;
}
