// Checks that each planning step has a convergence target, which is its only dependent.
import { counted } from '../../base/counted.ts';
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { didYouMean } from '../../base/nearest.ts';
import { reachableFrom } from '../../graph/reach.ts';
import type { Scope } from '../scope.ts';
import type { StepSpec } from '../step-spec.ts';
import type { Template } from '../template.ts';
import { dependencyPath, eachStep } from './paths.ts';

/** Checks that planning steps of a template name a target; in fragments they may inherit one. */
export function checkTargetsNamed(scope: Pick<Scope, 'steps'>): readonly Issue[] {
  return eachStep(scope, (step, at) =>
    step.planning === undefined || step.planning.target !== undefined
      ? []
      : [
          issue('CONVERGENCE_TARGET_MISSING', `planning step "${step.name}" names no convergence_target`, {
            path: [...at, 'name'],
            hint: targetHint(step.name, scope.steps),
          }),
        ],
  );
}

function targetHint(name: string, steps: readonly StepSpec[]): string {
  const [only, another] = steps.filter(({ dependencies }) => dependencies.includes(name));
  if (only === undefined)
    return `add a step with type: deferred and dependencies: [${name}], and name it here as convergence_target`;
  return another === undefined
    ? `write convergence_target: ${only.name}`
    : 'name the step at which its plan converges, and let the others wait for that step';
}

/** `around` is the convergence target of the fragment that holds the steps. */
export function checkTargets(scope: Scope, around?: string): readonly Issue[] {
  const byName = new Map(scope.steps.map((step) => [step.name, step] as const));
  const waitsFor = (name: string) => byName.get(name)?.dependencies ?? [];
  return eachStep(scope, (step, at) => {
    const target = step.planning?.target;
    if (target === undefined) return [];
    const path = [...at, 'convergence_target'];
    const found = byName.get(target);
    if (found === undefined) {
      const others = [...(around === undefined ? [] : [around]), ...byName.keys()].filter((name) => name !== step.name);
      const where = around === undefined ? undefined : `name "${around}", the target of the plan, or leave it out`;
      return [
        issue('CONVERGENCE_TARGET_UNKNOWN', `step "${target}" is not declared`, {
          path,
          hint: didYouMean(target, others) ?? where,
        }),
      ];
    }
    if (target === step.name || reachableFrom([step.name], waitsFor).has(target)) {
      return [
        issue('CONVERGENCE_TARGET_UPSTREAM', `"${target}" runs before "${step.name}" and cannot be its target`, {
          path,
          hint: 'name a step that waits for the planning step',
        }),
      ];
    }
    if (found.dependencies.includes(step.name)) return [];
    return [
      issue('CONVERGENCE_TARGET_NOT_DEPENDENT', `"${target}" does not wait for "${step.name}"`, {
        path,
        hint: `add "${step.name}" to the dependencies of "${target}"`,
      }),
    ];
  });
}

/** Checks that a quorum by number needs no more branches than `most` for its step. */
export function checkQuorums(scope: Pick<Scope, 'steps'>, most: (step: StepSpec) => number): readonly Issue[] {
  return eachStep(scope, (step, at) => {
    const { name, convergence } = step;
    if (convergence?.policy !== 'quorum' || convergence.min === undefined || !('count' in convergence.min)) return [];
    const { count } = convergence.min;
    const ends = most(step);
    if (count <= ends) return [];
    const message = `step "${name}" asks for ${counted(count, 'success', 'successes')}, and at most ${counted(ends, 'branch ends', 'branches end')} at it`;
    const hint = 'ask for fewer, or for a percentage';
    return [issue('CONVERGENCE_UNSATISFIABLE', message, { path: [...at, 'convergence', 'min'], hint })];
  });
}

/** Checks the quorums of a template; plans can add as many branches as the budget has steps left. */
export function checkAuthoredQuorums({
  steps,
  budget,
  repair,
}: Pick<Template, 'steps' | 'budget' | 'repair'>): readonly Issue[] {
  const planners = new Set(steps.filter(({ type }) => type === 'planning').map(({ name }) => name));
  const targets = new Set(steps.flatMap(({ planning }) => planning?.target ?? []));
  const room = Math.max(0, (budget.limit.steps ?? Number.POSITIVE_INFINITY) - steps.length);
  return checkQuorums({ steps }, ({ name, dependencies }) => {
    const authored = dependencies.filter((each) => !planners.has(each)).length;
    return authored + (targets.has(name) || repair !== undefined ? room : 0);
  });
}

/** Reports dependents of a planning step other than its target: they would run before the planned steps. */
export function checkPlanningDependents(scope: Scope): readonly Issue[] {
  const planning = new Map(scope.steps.filter((step) => step.type === 'planning').map((step) => [step.name, step]));
  const declared = new Set(scope.steps.map(({ name }) => name));
  return eachStep(scope, (step, at) =>
    step.dependencies.flatMap((name) => {
      const planner = planning.get(name);
      const target = planner?.planning?.target;
      return planner === undefined ||
        target === undefined ||
        !declared.has(target) ||
        target === step.name ||
        name === step.name
        ? []
        : [notTarget(step, planner, target, at)];
    }),
  );
}

function notTarget(step: StepSpec, planner: StepSpec, target: string, at: readonly PathPart[]): Issue {
  const message = `"${step.name}" waits for planning step "${planner.name}" but is not its convergence target`;
  return issue('PLANNING_DEPENDENT_NOT_TARGET', message, {
    path: dependencyPath(step, at, planner.name),
    hint: `let it depend on "${target}", where the plan converges`,
  });
}
