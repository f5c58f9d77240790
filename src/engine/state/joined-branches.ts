// Steps that join branches of a decision: they run without the branches that were not chosen.
import { type PlanGraph, predecessors } from '../../graph/plan-graph.ts';
import { reachableFrom } from '../../graph/reach.ts';
import { type RunState, type Step, stepOf } from './state.ts';

/** The ids of a decision's branches. */
export function branchesOf({ spec, refs }: Step): readonly string[] {
  return (spec.decision?.branches ?? []).map((name) => refs?.[name] ?? name);
}

/**
 * Whether a step runs without an input that its decision did not choose: the step joins that branch with another
 * branch, or is another branch itself. It needs an input from at least one branch that was chosen.
 */
export function runsWithout(state: RunState, step: Step, decision: string): boolean {
  const inputs = inputsFrom(state, step, decision);
  if (inputs === undefined) return true;
  const joins = new Set(inputs.flatMap(({ branches }) => branches)).size > 1;
  const mayCome = ({ id, branches }: BranchInput): boolean =>
    branches.length > 0 && stepOf(state, id).skipped !== 'not_chosen';
  return joins && inputs.some(mayCome);
}

interface BranchInput {
  readonly id: string;
  /** The branches of the decision that lead to it. */
  readonly branches: readonly string[];
}

/** The inputs of a step, with the branches of the decision that lead to each; undefined for a step that is a branch itself. */
function inputsFrom(
  { graph, steps }: Pick<RunState, 'graph' | 'steps'>,
  { id, item }: Step,
  decision: string,
): readonly BranchInput[] | undefined {
  const chooser = steps.get(decision);
  const branches = new Set(chooser === undefined ? [] : branchesOf(chooser));
  if (branches.has(item?.of ?? id)) return undefined;
  return predecessors(graph, id).map((input) => ({
    id: input,
    branches: branchesAbove(graph, input, branches, decision),
  }));
}

/** The branches that lead to a step, itself included. */
function branchesAbove(graph: PlanGraph, id: string, branches: ReadonlySet<string>, decision: string): string[] {
  const above = reachableFrom([id], (each) => (each === decision ? [] : predecessors(graph, each)));
  return [...branches].filter((branch) => branch === id || above.has(branch));
}
