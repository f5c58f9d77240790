// A decision chooses among steps that wait for it, by its own expression or by what it calls.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { didYouMean } from '../../base/nearest.ts';
import type { Scope } from '../scope.ts';
import type { StepSpec } from '../step-spec.ts';
import { eachStep } from './paths.ts';

export function checkDecisions(scope: Scope): readonly Issue[] {
  const byName = new Map(scope.steps.map((step) => [step.name, step] as const));
  return eachStep(scope, (step, at) => {
    if (step.decision === undefined) return [];
    const branches = step.decision.branches.flatMap((branch, index) =>
      wrongBranch(step.name, branch, byName, [...at, 'branches', index]),
    );
    return [...wrongChooser(step, at), ...branches];
  });
}

function wrongChooser({ name, capability, agent, decision }: StepSpec, at: readonly PathPart[]): readonly Issue[] {
  const asks = (capability ?? agent) !== undefined;
  if (asks !== (decision?.choose !== undefined)) return [];
  const what = asks ? 'both chooses itself and names who does' : 'says neither how it chooses nor who does';
  return [
    issue('DECISION_UNDECIDED', `decision "${name}" ${what}`, {
      path: [...at, 'name'],
      hint: 'give it either choose: !lisp … or a handler or agent, whose result names the branches',
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
    return [
      issue('BRANCH_UNKNOWN', `step "${branch}" is not declared`, { path, hint: didYouMean(branch, byName.keys()) }),
    ];
  }
  if (found.dependencies.includes(decision)) return [];
  return [
    issue('BRANCH_NOT_DEPENDENT', `"${branch}" does not wait for "${decision}", and would run whatever it chooses`, {
      path,
      hint: `add "${decision}" to the dependencies of "${branch}"`,
    }),
  ];
}
