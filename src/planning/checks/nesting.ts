// Check 10, nested planning: whether there may be more of it here, and where each nested phase comes together.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Frame } from '../frame.ts';
import { nameOf } from '../surroundings.ts';
import type { Check } from '../verdict.ts';
import { type Wiring, wiringOf } from '../wiring.ts';

export const checkNesting: Check = ({ steps }, frame) => {
  const wiring = wiringOf(steps);
  return steps.flatMap((step, index) =>
    step.type === 'planning'
      ? [...mayNest(step.name, ['steps', index], frame), ...comesTogether(step, ['steps', index], wiring, frame)]
      : [],
  );
};

function mayNest(name: string, path: readonly PathPart[], { depthLeft, converge }: Frame): readonly Issue[] {
  if (depthLeft <= 0) {
    return [
      issue('PLANNING_TOO_DEEP', `step "${name}" plans further, and planning may nest no deeper here`, {
        path,
        hint: 'answer with the steps themselves',
      }),
    ];
  }
  if (!converge) return [];
  return [
    issue('PLANNING_WHILE_CONVERGING', `step "${name}" plans further, and little is left of the budget`, {
      path,
      hint: 'answer with the few steps that finish the work',
    }),
  ];
}

/** Only its target may depend on a planning step: anything else could begin before the phase has run. */
function comesTogether(step: StepSpec, at: readonly PathPart[], wiring: Wiring, frame: Frame): readonly Issue[] {
  const { name, planning } = step;
  const waiting = wiring.dependents.get(name) ?? [];
  const named = planning?.target;
  const path = [...at, 'convergence_target'];
  if (named === undefined) {
    return waiting.length <= 1 ? [] : [notTarget(name, waiting, path, 'name one of them as convergence_target')];
  }
  if (wiring.byName.has(named)) {
    if (!waiting.includes(named)) return [targetNotDownstream(name, named, path)];
    const others = waiting.filter((each) => each !== named);
    return others.length === 0 ? [] : [notTarget(name, others, path, `let them wait for "${named}"`)];
  }
  if (named !== frame.target && named !== nameOf(frame.target)) {
    return [
      issue(
        'CONVERGENCE_TARGET_UNKNOWN',
        `step "${name}" converges at "${named}", which is not a step of the fragment`,
        {
          path,
          hint: 'name a step that depends on this one, or none: then the phase ends where this fragment ends',
        },
      ),
    ];
  }
  return waiting.length === 0 ? [] : [notTarget(name, waiting, path, 'name the step that waits for it')];
}

function targetNotDownstream(name: string, target: string, path: readonly PathPart[]): Issue {
  return issue(
    'CONVERGENCE_TARGET_NOT_DOWNSTREAM',
    `step "${name}" converges at "${target}", which does not wait for it`,
    {
      path,
      hint: `add "${name}" to the dependencies of "${target}"`,
    },
  );
}

function notTarget(name: string, waiting: readonly string[], path: readonly PathPart[], hint: string): Issue {
  const who = waiting.map((each) => `"${each}"`).join(', ');
  return issue('PLANNING_DEPENDENT_NOT_TARGET', `${who} waits for planning step "${name}" without being its target`, {
    path,
    hint: `only the convergence target may depend on a planning step: ${hint}`,
  });
}
