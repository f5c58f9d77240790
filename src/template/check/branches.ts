// Branches of decisions, as far as they are known before a run: which of them each step depends on, and where they join.
import type { Scope } from '../scope.ts';
import type { StepSpec } from '../step-spec.ts';

export interface Branching {
  /** Decisions by name, each with the branch that must be chosen for the step to run. */
  readonly conditions: ReadonlyMap<string, string>;
  /** Decisions of which the step joins several branches: it runs with the chosen one. */
  readonly joined: ReadonlySet<string>;
}

const always: Branching = { conditions: new Map(), joined: new Set() };
const remembered = new WeakMap<Scope['steps'], ReadonlyMap<string, Branching>>();

/** Maps each step that a decision of the same document can leave out, or that joins branches of one, to those branches. */
export function branchingOf({ steps }: Pick<Scope, 'steps'>): ReadonlyMap<string, Branching> {
  const known = remembered.get(steps);
  if (known !== undefined) return known;
  const found = new Map<string, Branching>();
  remembered.set(steps, found);
  const decisionsOf = choosersOf(steps);
  if (decisionsOf.size === 0) return found;
  const byName = new Map(steps.map((step) => [step.name, step] as const));
  const targets = new Set(steps.flatMap((step) => step.planning?.target ?? []));
  const visiting = new Set<string>();
  const visit = (name: string): Branching => {
    const step = byName.get(name);
    const done = found.get(name);
    if (done !== undefined) return done;
    // A circle of dependencies is an issue of its own.
    if (step === undefined || visiting.has(name)) return always;
    visiting.add(name);
    const inputs = step.dependencies.map((each) => visit(each).conditions);
    const converges = step.type === 'deferred' || step.convergence !== undefined || targets.has(name);
    const branching = converges ? always : joinOf(inputs, name, decisionsOf.get(name) ?? []);
    found.set(name, branching);
    return branching;
  };
  for (const { name } of steps) visit(name);
  return found;
}

/** The decisions that each branch belongs to. */
function choosersOf(steps: readonly StepSpec[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { name, decision } of steps) {
    for (const branch of decision?.branches ?? []) found.set(branch, [...(found.get(branch) ?? []), name]);
  }
  return found;
}

function joinOf(inputs: readonly Branching['conditions'][], name: string, decisions: readonly string[]): Branching {
  const own = decisions.map((decision) => [decision, name] as const);
  const branches = new Map<string, Set<string>>();
  for (const [decision, branch] of [...inputs.flatMap((each) => [...each]), ...own]) {
    branches.set(decision, (branches.get(decision) ?? new Set()).add(branch));
  }
  const conditions = [...branches].flatMap(([decision, [branch, another]]) =>
    branch === undefined || another !== undefined ? [] : [[decision, branch] as const],
  );
  const joined = [...branches].flatMap(([decision, { size }]) => (size > 1 ? [decision] : []));
  // A branch that waits for another one runs when it is chosen itself.
  const chosen = own.filter(([decision]) => joined.includes(decision));
  return { conditions: new Map([...conditions, ...chosen]), joined: new Set(joined) };
}

/** Whether a step may run while an input of it was not chosen: its value is then null. */
export function mayBeDropped(scope: Pick<Scope, 'steps'>, step: StepSpec | undefined, input: string): boolean {
  if (step === undefined) return false;
  const branching = branchingOf(scope);
  const { joined } = branching.get(step.name) ?? always;
  if (joined.size === 0 || !step.dependencies.includes(input)) return false;
  return [...(branching.get(input) ?? always).conditions.keys()].some((decision) => joined.has(decision));
}
