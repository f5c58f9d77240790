// How a run gets its steps: the authored ones when it starts, the others by grafts.
import type { Amount } from '../budget/amount.ts';
import { charge, openAccount, release, reserve } from '../budget/ledger.ts';
import { addEdge, addNode } from '../graph/plan-graph.ts';
import { splice } from '../graph/splice.ts';
import type { GraftedStep } from '../planning/graft.ts';
import type { StepSpec } from '../template/step-spec.ts';
import type { EventOf } from './event.ts';
import { landingOf, landingReserve } from './landing.ts';
import { accountAbove, arrive } from './move-step.ts';
import { isTerminal, type Provenance, RUN_ACCOUNT, type RunState, type Step, stepOf } from './state.ts';

export function startRun(state: RunState, event: EventOf<'run.started'>): void {
  const { template } = state;
  state.id = event.run;
  state.folder = event.folder;
  state.input = event.input;
  state.startedAt = state.at;
  state.status = 'running';
  openAccount(state.ledger, RUN_ACCOUNT, undefined, template.budget.limit, landingReserve(template.budget));
  for (const spec of template.steps) {
    addNode(state.graph, spec.name);
    addStep(state, {
      id: spec.name,
      spec,
      provenance: undefined,
      refs: undefined,
      account: RUN_ACCOUNT,
      target: spec.planning?.target,
      depth: template.budget.planningDepth,
    });
  }
  for (const spec of template.steps) {
    for (const dependency of spec.dependencies) addEdge(state.graph, dependency, spec.name);
    if (spec.planning?.target !== undefined) markTarget(state, spec.planning.target);
  }
  for (const id of landingOf(template.steps)) state.landing.add(id);
  charge(state.ledger, RUN_ACCOUNT, { steps: template.steps.length });
  const planners = template.steps.filter((spec) => spec.type === 'planning').length;
  if (planners > 0) reserve(state.ledger, RUN_ACCOUNT, { phases: planners });
  for (const spec of template.steps) {
    const step = stepOf(state, spec.name);
    step.waiting = spec.dependencies.length;
    if (step.waiting === 0) arrive(state, step);
  }
}

export function graft(state: RunState, event: EventOf<'fragment.grafted'>): void {
  const planner = stepOf(state, event.planner);
  const depth = (planner.provenance?.depth ?? 0) + 1;
  splice(state.graph, {
    nodes: event.steps.map(({ id, dependencies }) => ({ id, after: dependencies })),
    target: event.target,
    terminals: event.terminals,
  });
  for (const grafted of event.steps) addGrafted(state, planner, event, grafted, depth);
  for (const { target } of event.steps) if (target !== undefined) markTarget(state, target);
  stepOf(state, event.target).waiting += event.terminals.length;
  postGraft(state, planner, event.amount);
  state.phases.set(event.planner, {
    planner: event.planner,
    target: event.target,
    rationale: event.rationale,
    steps: event.steps.map(({ id }) => id),
  });
  for (const { id } of event.steps) {
    const step = stepOf(state, id);
    if (step.waiting === 0) arrive(state, step);
  }
}

interface NewStep {
  readonly id: string;
  readonly spec: StepSpec;
  readonly provenance: Provenance | undefined;
  readonly refs: Readonly<Record<string, string>> | undefined;
  readonly account: string;
  readonly target: string | undefined;
  /** How deep planning may nest below the planning step that brought this one, or in the whole run. */
  readonly depth: number;
}

function addStep(state: RunState, { id, spec, provenance, refs, account, target, depth }: NewStep): Step {
  const own = spec.budget === undefined ? account : id;
  if (spec.budget !== undefined) openAccount(state.ledger, id, account, spec.budget.limit);
  const step: Step = {
    id,
    spec,
    provenance,
    refs,
    target,
    depthLeft: Math.max(0, Math.min(depth, spec.budget?.planningDepth ?? depth) - 1),
    account: own,
    status: 'waiting',
    waiting: 0,
    converges: spec.type === 'deferred' || spec.convergence !== undefined,
    attempt: 0,
    delivery: 0,
    reserved: undefined,
    key: undefined,
    inputDigest: undefined,
    result: undefined,
    failure: undefined,
    skipped: undefined,
    root: undefined,
    retryAt: undefined,
    feedback: undefined,
    issues: undefined,
    convergence: undefined,
    since: state.version,
  };
  state.steps.set(id, step);
  state.live += 1;
  return step;
}

function markTarget(state: RunState, id: string): void {
  stepOf(state, id).converges = true;
}

function addGrafted(
  state: RunState,
  planner: Step,
  { fragment }: EventOf<'fragment.grafted'>,
  { id, spec, dependencies, refs, target }: GraftedStep,
  depth: number,
): void {
  const step = addStep(state, {
    id,
    spec,
    provenance: { planner: planner.id, fragment, depth },
    refs,
    account: planner.account,
    target,
    depth: planner.depthLeft,
  });
  step.waiting = dependencies.filter((each) => {
    const dependency = state.steps.get(each);
    return dependency === undefined || !isTerminal(dependency);
  }).length;
}

/** An authored planning step's phase was reserved when the run started; a nested one's with the fragment that brought it. */
function postGraft(state: RunState, planner: Step, { steps = 0, phases = 0 }: Amount): void {
  const above = accountAbove(state, planner);
  release(state.ledger, above, { phases: 1 });
  charge(state.ledger, above, { phases: 1 });
  if (steps > 0) charge(state.ledger, planner.account, { steps });
  if (phases > 0) reserve(state.ledger, planner.account, { phases });
}
