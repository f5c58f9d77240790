// Folds an event into the state: total, without judgement, at the cost of what the event touches.

import { unreachable } from '../base/fault.ts';
import { type Amount, nothing } from '../budget/amount.ts';
import { charge, openAccount, release, reserve } from '../budget/ledger.ts';
import { addEdge, addNode, forEachSuccessor } from '../graph/plan-graph.ts';
import { splice } from '../graph/splice.ts';
import type { GraftedStep } from '../planning/graft.ts';
import type { StepSpec } from '../template/step-spec.ts';
import type { Event, EventOf, Recorded } from './event.ts';
import { landingOf, landingReserve } from './landing.ts';
import {
  isPending,
  isSatisfying,
  isTerminal,
  type Provenance,
  RUN_ACCOUNT,
  type RunState,
  type Step,
  type StepStatus,
  stepOf,
} from './state.ts';

export function evolve(state: RunState, { version, at, event }: Recorded): void {
  tick(state, at, event);
  state.version = version;
  apply(state, event);
}

/** Time counts while something is pending, and not while no driver was there. */
function tick(state: RunState, at: number, event: Event): void {
  if (event.type !== 'run.attached' && isPending(state)) state.elapsed += at - state.at;
  state.at = at;
}

function apply(state: RunState, event: Event): void {
  switch (event.type) {
    case 'run.started':
      return startRun(state, event);
    case 'run.attached':
    case 'plan.requested':
    case 'plan.proposed':
      return;
    case 'run.paused':
      state.status = 'paused';
      return;
    case 'run.resumed':
      state.status = 'running';
      return;
    case 'run.cancelling':
      state.status = 'cancelling';
      return;
    case 'run.ended':
      state.status = 'ended';
      state.ended = event;
      return;
    case 'attempt.started':
      return startAttempt(state, event);
    case 'attempt.lost': {
      const step = stepOf(state, event.step);
      settle(state, step, event.assumed);
      return;
    }
    case 'attempt.failed': {
      const step = stepOf(state, event.step);
      settle(state, step, event.bill);
      step.retryAt = event.retryAt;
      step.failure = event.failure;
      move(state, step, 'retrying');
      return;
    }
    case 'verification.failed':
      stepOf(state, event.step).feedback = event.diagnosis;
      return;
    case 'step.completed': {
      const step = stepOf(state, event.step);
      settle(state, step, event.bill);
      step.result = event.value;
      step.failure = undefined;
      end(state, step, 'completed');
      return;
    }
    case 'step.failed': {
      const step = stepOf(state, event.step);
      settle(state, step, event.bill);
      step.failure = event.failure;
      step.root = step.id;
      state.stop ??= event.stop;
      end(state, step, 'failed');
      if (state.template.failFast) state.consequences.push({ type: 'halt', cause: state.version });
      return;
    }
    case 'step.skipped': {
      const step = stepOf(state, event.step);
      settle(state, step, event.bill);
      step.skipped = event.reason;
      step.root = event.root ?? step.id;
      step.failure = event.failure;
      end(state, step, 'skipped');
      return;
    }
    case 'steps.cancelled':
      for (const id of event.steps) {
        const step = stepOf(state, id);
        settle(state, step, step.reserved);
        step.root = id;
        end(state, step, 'cancelled');
      }
      state.failedFast ||= state.template.failFast;
      return;
    case 'fragment.rejected': {
      const step = stepOf(state, event.step);
      settle(state, step, event.bill);
      step.issues = event.issues;
      move(state, step, 'ready');
      return;
    }
    case 'fragment.grafted':
      return graft(state, event);
    case 'convergence.judged': {
      const step = stepOf(state, event.step);
      step.convergence = event;
      state.partial ||= event.convergence.partial;
      if (event.convergence.reason === 'budget') state.stop ??= firstExhaustion(state);
      if (event.satisfied) move(state, step, 'ready');
      return;
    }
    case 'budget.warned':
      state.warned.add(`${event.account} ${event.resource}`);
      return;
    case 'budget.exhausted':
      state.exhausted.set(event.account, event);
      state.consequences.push({ type: 'cut', account: event.account, cause: state.version });
      return;
    default:
      return unreachable(event);
  }
}

function firstExhaustion(state: RunState): RunState['stop'] {
  return state.exhausted.values().next().value;
}

function startRun(state: RunState, event: EventOf<'run.started'>): void {
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

function startAttempt(state: RunState, event: EventOf<'attempt.started'>): void {
  const step = stepOf(state, event.step);
  step.attempt = event.attempt;
  step.delivery = event.delivery ?? 1;
  countCall(state, step, event.key);
  step.inputDigest = event.input;
  step.reserved = event.reserved;
  step.retryAt = undefined;
  if (event.reserved !== undefined) reserve(state.ledger, step.account, event.reserved);
  move(state, step, 'running');
}

/** Keys of calls that change the world end in how often the same call was made; the same call again is not counted. */
function countCall(state: RunState, step: Step, key: string | undefined): void {
  if (key !== undefined && key !== step.key) {
    const call = key.slice(0, key.lastIndexOf('/'));
    state.occurrences.set(call, (state.occurrences.get(call) ?? 0) + 1);
  }
  step.key = key;
}

function graft(state: RunState, event: EventOf<'fragment.grafted'>): void {
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

/** The account in which a step's own being was posted: its planner's, not the one that its budget opens. */
function accountAbove(state: RunState, step: Step): string {
  return step.provenance === undefined ? RUN_ACCOUNT : stepOf(state, step.provenance.planner).account;
}

function settle(state: RunState, step: Step, bill: Amount = nothing): void {
  if (step.reserved !== undefined) release(state.ledger, step.account, step.reserved);
  step.reserved = undefined;
  charge(state.ledger, step.account, bill);
}

function move(state: RunState, step: Step, status: StepStatus): void {
  setOf(state, step.status)?.delete(step.id);
  step.status = status;
  step.since = state.version;
  setOf(state, status)?.add(step.id);
}

/** The steps of a status that the driver looks for. */
function setOf(state: RunState, status: StepStatus): Set<string> | undefined {
  switch (status) {
    case 'ready':
      return state.ready;
    case 'retrying':
      return state.retrying;
    case 'running':
      return state.running;
    default:
      return undefined;
  }
}

function end(state: RunState, step: Step, status: StepStatus): void {
  const wasPlanned = step.spec.type === 'planning' && !state.phases.has(step.id);
  move(state, step, status);
  state.live -= 1;
  if (wasPlanned) release(state.ledger, accountAbove(state, step), { phases: 1 });
  const satisfying = isSatisfying(step);
  forEachSuccessor(state.graph, step.id, (id) => leave(state, stepOf(state, id), step, satisfying));
}

/** A predecessor has ended. */
function leave(state: RunState, successor: Step, from: Step, satisfying: boolean): void {
  if (isTerminal(successor)) return;
  successor.waiting -= 1;
  if (!satisfying && !successor.converges) {
    const reason = from.skipped === 'not_chosen' ? 'not_chosen' : 'upstream';
    state.consequences.push({
      type: 'skip',
      step: successor.id,
      reason,
      root: from.root ?? from.id,
      cause: state.version,
    });
  } else if (successor.waiting === 0) {
    arrive(state, successor);
  } else if (successor.spec.convergence?.early === true) {
    state.consequences.push({ type: 'converge-early', step: successor.id, cause: state.version });
  }
}

/** Nothing is left to wait for. */
function arrive(state: RunState, step: Step): void {
  if (step.converges) state.consequences.push({ type: 'judge', step: step.id, cause: state.version });
  else move(state, step, 'ready');
}
