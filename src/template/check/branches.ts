// The branches of decisions that each step depends on, and the steps at which branches join, as far as known before a run.
import type { Scope } from '../scope.ts';
import type { StepSpec } from '../step-spec.ts';

export interface Branching {
  /** The branch that each decision must choose for the step to run, by decision. */
  readonly conditions: ReadonlyMap<string, string>;
  /** Decisions with several branches that join at the step; it runs with the chosen branch. */
  readonly joined: ReadonlySet<string>;
}

const always: Branching = { conditions: new Map(), joined: new Set() };
const remembered = new WeakMap<Scope['steps'], ReadonlyMap<string, Branching>>();

/** The branching of each step that depends on a decision of the document. */
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
    // Another check reports cycles of dependencies.
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

/** The decisions of each branch. */
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
  // A branch that depends on another branch runs when it is chosen itself.
  const chosen = own.filter(([decision]) => joined.includes(decision));
  return { conditions: new Map([...conditions, ...chosen]), joined: new Set(joined) };
}

/** Tells whether a step may run although its dependency was not chosen; the dependency's value is then null. */
export function mayBeDropped(scope: Pick<Scope, 'steps'>, step: StepSpec | undefined, input: string): boolean {
  if (step === undefined) return false;
  const branching = branchingOf(scope);
  const { joined } = branching.get(step.name) ?? always;
  if (joined.size === 0 || !step.dependencies.includes(input)) return false;
  return [...(branching.get(input) ?? always).conditions.keys()].some((decision) => joined.has(decision));
}
