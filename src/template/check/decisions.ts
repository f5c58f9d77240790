// Checks decisions: one way to choose, and branches that depend on the decision.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { didYouMean } from '../../base/nearest.ts';
import type { Scope } from '../scope.ts';
import type { StepSpec } from '../step-spec.ts';
import { type Branching, branchingOf } from './branches.ts';
import { dependencyPath, eachStep } from './paths.ts';

export function checkDecisions(scope: Scope): readonly Issue[] {
  const byName = new Map(scope.steps.map((step) => [step.name, step] as const));
  const branching = branchingOf(scope);
  return eachStep(scope, (step, at) => {
    if (step.decision === undefined) return mixedBranches(step, at, branching);
    const branches = step.decision.branches.flatMap((branch, index) =>
      wrongBranch(step.name, branch, byName, [...at, 'branches', index]),
    );
    return [...wrongChooser(step, at), ...branches];
  });
}

function wrongChooser({ name, capability, agent, decision }: StepSpec, at: readonly PathPart[]): readonly Issue[] {
  const asks = (capability ?? agent) !== undefined;
  if (asks !== (decision?.choose !== undefined)) return [];
  const what = asks ? 'has "choose" and also a handler or an agent' : 'has neither "choose" nor a handler or an agent';
  return [
    issue('DECISION_UNDECIDED', `decision "${name}" ${what}`, {
      path: [...at, 'name'],
      hint: 'write choose: !lisp …, or name a handler or agent whose result names the branches',
    }),
  ];
}

function wrongBranch(
  decision: string,
  branch: string,
  byName: ReadonlyMap<string, StepSpec>,
  path: readonly PathPart[],
): readonly Issue[] {
  const found = byName.get(branch);
  if (found === undefined) {
    const others = [...byName.keys()].filter((name) => name !== decision);
    const hint =
      didYouMean(branch, others) ?? `add a step "${branch}" with dependencies: [${decision}], or correct the name`;
    return [issue('BRANCH_UNKNOWN', `branch "${branch}" is not a step of this template`, { path, hint })];
  }
  if (found.dependencies.includes(decision)) return [];
  return [
    issue('BRANCH_NOT_DEPENDENT', `"${branch}" does not wait for "${decision}", and would run whatever it chooses`, {
      path,
      hint: `add "${decision}" to the dependencies of "${branch}"`,
    }),
  ];
}

/**
 * Reports steps that depend on branches of two decisions: such a step looks like a join, but it is skipped unless both
 * branches are chosen. A step with `when` shows that its author knows this.
 */
function mixedBranches(
  step: StepSpec,
  at: readonly PathPart[],
  branching: ReadonlyMap<string, Branching>,
): readonly Issue[] {
  const { name, dependencies, when } = step;
  const own = branching.get(name);
  if (own === undefined || own.conditions.size < 2 || when !== undefined) return [];
  const needed = dependencies.map((input) => {
    const conditions = branching.get(input)?.conditions ?? [];
    return { input, of: [...conditions].filter(([decision]) => !own.joined.has(decision)) };
  });
  for (const [place, { input, of }] of needed.entries()) {
    const other = needed.slice(place + 1).find((each) => isLacking(of, each.of) && isLacking(each.of, of));
    if (other === undefined) continue;
    const message = `"${name}" waits for "${input}" and "${other.input}", branches of two decisions, and is skipped unless both are chosen`;
    return [
      issue('BRANCHES_MIXED', message, {
        path: dependencyPath(step, at, other.input),
        hint: 'make it a deferred step, which runs with what was chosen; or write "when: true" to say that it needs both',
      }),
    ];
  }
  return [];
}

type BranchConditions = readonly (readonly [decision: string, branch: string])[];

/** Tells whether `others` lacks any condition of `all`. */
function isLacking(all: BranchConditions, others: BranchConditions): boolean {
  return all.some(([decision, branch]) => !others.some(([each, taken]) => each === decision && taken === branch));
}
