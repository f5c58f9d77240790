// The frame in which a planning step's fragment is judged, read off the run as it stands.
import { limitable, type Limited } from '../budget/amount.ts';
import { available } from '../budget/ledger.ts';
import type { Declaration } from '../contract/declaration.ts';
import { isGranted } from '../contract/grant.ts';
import type { FragmentBounds, Frame } from '../planning/frame.ts';
import type { PlanningSpec } from '../template/step-spec.ts';
import type { Producer } from '../template/scope.ts';
import { present } from '../base/fault.ts';
import { outputOf } from './check-result.ts';
import { phasesInSight } from './phases-in-sight.ts';
import { isSatisfying, type RunState, type Step, stepOf } from './state.ts';
import { isConverging } from './warn.ts';

export function planningOf(step: Step): PlanningSpec {
  return present(step.spec.planning, `planning settings of ${step.id}`);
}

export function frameOf(state: RunState, step: Step): Frame {
  const { input } = state.template;
  return {
    planner: step.id,
    prefix: `${step.id}.1`,
    target: present(step.target, `convergence target of ${step.id}`),
    depthLeft: depthLeft(state, step),
    outside: outsideOf(state, step),
    ...(input === undefined ? {} : { input }),
    ...granted(state, step),
    bounds: boundsOf(state, step),
    available: availableTo(state, step),
    failedDigests: new Set(),
    converge: isConverging(state),
  };
}

/** Each planner below has one less than the one above it, and a planning step's own budget may allow less still. */
function depthLeft(state: RunState, step: Step): number {
  const own = (step.spec.budget?.planningDepth ?? Number.POSITIVE_INFINITY) - 1;
  const above = step.provenance === undefined ? undefined : stepOf(state, step.provenance.planner);
  const inherited = (above === undefined ? state.template.budget.planningDepth : depthLeft(state, above)) - 1;
  return Math.max(0, Math.min(own, inherited));
}

function boundsOf({ template: { budget } }: RunState, { spec }: Step): FragmentBounds {
  return {
    fragmentSteps: spec.budget?.fragmentSteps ?? budget.fragmentSteps,
    fragmentDepth: spec.budget?.fragmentDepth ?? budget.fragmentDepth,
    fanOut: spec.budget?.fanOut ?? budget.fanOut,
  };
}

export function availableTo(state: RunState, step: Step): Partial<Record<Limited, number>> {
  const left: Partial<Record<Limited, number>> = {};
  for (const limited of limitable) {
    const amount = available(state.ledger, step.account, limited, false);
    if (Number.isFinite(amount)) left[limited] = amount;
  }
  return left;
}

/** What the template grants, narrowed by this planning step and by every one above it. */
function granted(state: RunState, step: Step): Pick<Frame, 'declarations' | 'denied'> {
  const declarations: Record<string, Declaration> = {};
  const denied = new Set<string>();
  const lists = [...plannersUp(state, step)].map(planningOf);
  for (const [name, declaration] of Object.entries(state.template.capabilities)) {
    if (lists.every(({ allow, deny }) => isGranted(name, allow, deny))) declarations[name] = declaration;
    else denied.add(name);
  }
  return { declarations, denied };
}

function* plannersUp(state: RunState, step: Step): Generator<Step> {
  for (let at: Step | undefined = step; at !== undefined; ) {
    yield at;
    at = at.provenance === undefined ? undefined : stepOf(state, at.provenance.planner);
  }
}

/** By full id, and by name where the nearest phase settles which step is meant. */
function outsideOf(state: RunState, step: Step): ReadonlyMap<string, Producer> {
  const producers = new Map<string, Producer>();
  for (const phase of phasesInSight(state, step)) {
    for (const each of phase.steps) {
      if (!isSatisfying(each)) continue;
      const schema = outputOf(state, each);
      const producer = { id: each.id, ...(schema === undefined ? {} : { schema }), optional: each.status === 'skipped' };
      producers.set(each.id, producer);
      if (!producers.has(each.spec.name)) producers.set(each.spec.name, producer);
    }
  }
  return producers;
}
