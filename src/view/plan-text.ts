// An authored graph for the terminal: its steps in an order in which they could run, each with what it waits for.
import type { StepSpec } from '../template/step-spec.ts';
import type { Template } from '../template/template.ts';
import { type Line, span } from './line.ts';
import { table } from './table.ts';

export function planText({ steps }: Template): readonly Line[] {
  return table(
    [{ title: 'step' }, { title: 'type' }, { title: 'does' }, { title: 'after' }],
    inOrder(steps).map((spec) => [
      span(spec.name, spec.planning === undefined ? undefined : 'strong'),
      span(spec.type),
      span(workOf(spec)),
      span(spec.dependencies.length === 0 ? '-' : spec.dependencies.join(', ')),
    ]),
  );
}

function workOf({ capability, planning, convergence, expr }: StepSpec): string {
  if (planning !== undefined)
    return `plans (${planning.planner?.kind ?? 'as its parent'}), converges at ${planning.target ?? '?'}`;
  const policy = convergence === undefined ? '' : ` (${convergence.policy})`;
  return `${capability ?? (expr === undefined ? 'gathers' : 'computes')}${policy}`;
}

/** As written, but nothing before what it waits for. */
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
