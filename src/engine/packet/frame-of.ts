// Reads the frame of a planning step off the run's state: the bounds and names that its fragment is reviewed with.

import { present } from '../../base/fault.ts';
import { defined } from '../../base/json.ts';
import type { Instant } from '../../base/quantity.ts';
import { limitable } from '../../budget/amount.ts';
import { accountChain, available } from '../../budget/ledger.ts';
import type { Declaration, Effect } from '../../contract/declaration.ts';
import { approvalFor, type EffectsPolicy, onlyWith } from '../../contract/effects-policy.ts';
import { isGranted } from '../../contract/grant.ts';
import { predecessors } from '../../graph/plan-graph.ts';
import { gathersAllResults } from '../../planning/critic/results-used.ts';
import type { FragmentBounds, Frame, RemainingBudget } from '../../planning/frame.ts';
import { resultOf } from '../../template/check/producers.ts';
import { MISSION } from '../../template/mission.ts';
import type { Producer } from '../../template/scope.ts';
import type { PlannerSpec, PlanningSpec } from '../../template/step-spec.ts';
import type { Template } from '../../template/template.ts';
import { isConverging } from '../account/budget-warning.ts';
import { convergencePolicyOf } from '../queries/branch-ends.ts';
import { failedWork } from '../queries/failed-work.ts';
import { depthLeft } from '../queries/planning-depth.ts';
import { visibleSteps } from '../queries/visible-phases.ts';
import type { Batch } from '../state/batch.ts';
import { timeLeft } from '../state/deadline.ts';
import { isSatisfying, isTerminal, type RunState, type Step, stepOf } from '../state/state.ts';

export function planningOf(step: Step): PlanningSpec {
  return present(step.spec.planning, `planning settings of ${step.id}`);
}

/** The planner of a step. A nested planning step without a planner has the planner of the step that planned it. */
export function plannerFor(state: RunState, step: Step): PlannerSpec {
  const own = planningOf(step).planner;
  if (own !== undefined) return own;
  return plannerFor(state, stepOf(state, present(step.provenance, `planner of ${step.id}`).planner));
}

/** The settings of the nearest authored planning step: a fragment cannot change how it is reviewed or repaired. */
export function authoredAbove(state: RunState, step: Step): PlanningSpec {
  const { provenance } = step;
  return provenance === undefined ? planningOf(step) : authoredAbove(state, stepOf(state, provenance.planner));
}

export function frameOf({ state, at }: Pick<Batch, 'state' | 'at'>, step: Step): Frame {
  const { input, effects } = state.template;
  return {
    planner: step.id,
    prefix: `${step.id}.1`,
    target: present(step.target, `convergence target of ${step.id}`),
    ...quorumBefore(state, step),
    depthLeft: depthLeft(state, step),
    outside: outsideOf(state, step),
    ...defined({ input }),
    ...granted(state, step, withFound(state.template, step)),
    ...defined({ effects }),
    asking: state.template,
    bounds: boundsOf(state, step),
    ...defined({ stepTimeout: state.template.limits.stepTimeout }),
    available: adoptableWork(state, step, at),
    ...defined({ failed: step.repairs === undefined ? undefined : failedWork(state, step.repairs) }),
    converge: isConverging(state),
    ...criticsView(state, step),
    goals: goalsOf(state, step),
  };
}

/** The quorum of the target, where this phase alone decides it; undecided while another planning step plans for the target too. */
function quorumBefore(state: RunState, planner: Step): Pick<Frame, 'quorum'> {
  const target = stepOf(state, present(planner.target, `convergence target of ${planner.id}`));
  const { policy, min } = convergencePolicyOf(target);
  if (policy !== 'quorum' || min === undefined || !('count' in min)) return {};
  const others = predecessors(state.graph, target.id).map((id) => stepOf(state, id));
  const beside = others.filter((step) => step !== planner && mayCount(step));
  if (beside.some((step) => step.spec.type === 'planning' && !isTerminal(step))) return {};
  return { quorum: { min: min.count, beside: beside.filter(({ spec }) => spec.type !== 'planning').length } };
}

function mayCount(step: Step): boolean {
  return (
    !isTerminal(step) || (step.takenUp === undefined && (step.status === 'completed' || step.status === 'resolved'))
  );
}

/** The goals from this planning step outwards: authored goals, and goals of planners that have planned. */
function goalsOf(state: RunState, step: Step): readonly string[] {
  const { provenance, id } = step;
  const own = [planningOf(step).goal, state.phases.get(id)?.intents?.goal].flatMap((goal) => goal ?? []);
  return provenance === undefined ? own : [...own, ...goalsOf(state, stepOf(state, provenance.planner))];
}

/** The template's settings about plans, and the facts that only the critic reads. */
function criticsView(state: RunState, step: Step): Partial<Frame> {
  const { critic, missing = [] } = state.template;
  const { goal } = planningOf(step);
  const target = stepOf(state, present(step.target, `convergence target of ${step.id}`));
  return {
    ...defined({ critic }),
    ...(missing.includes('ask') || missing.includes('synthesize') ? { synthesizes: true } : {}),
    ...defined({ goal }),
    kind: plannerFor(state, step).kind,
    ...(state.template.name === MISSION ? { isMission: true } : {}),
    ...(gathersAllResults(target.spec) ? { gathers: true } : {}),
    ...(authoredAbove(state, step).review === 'always' ? { isReviewed: true } : {}),
  };
}

/** A nested planning step has the bounds of the step that planned it, unless its own are narrower. */
export function boundsOf(state: RunState, { spec, provenance }: Step): FragmentBounds {
  const { fragmentSteps, fragmentDepth, fanOut } =
    provenance === undefined ? state.template.budget : boundsOf(state, stepOf(state, provenance.planner));
  return {
    fragmentSteps: spec.budget?.fragmentSteps ?? fragmentSteps,
    fragmentDepth: spec.budget?.fragmentDepth ?? fragmentDepth,
    fanOut: spec.budget?.fanOut ?? fanOut,
  };
}

function adoptableWork(state: RunState, step: Step, at: Instant): RemainingBudget {
  const left: Partial<Record<keyof RemainingBudget, number>> = {};
  for (const limited of limitable) {
    const amount = available(state.ledger, step.account, limited, false);
    if (Number.isFinite(amount)) left[limited] = amount;
  }
  const time = Math.min(...accountChain(state.ledger, step.account).map((each) => timeLeft(state, each, at)));
  return Number.isFinite(time) ? { ...left, time: Math.max(0, time) } : left;
}

type Grants = Required<Pick<Frame, 'declarations' | 'denied' | 'ruledOut'>>;

/** Grants by planning step; a run that gains a capability has a new template, which makes the entry stale. */
const remembered = new WeakMap<Step, { readonly template: Template; readonly granted: Grants }>();

/** The grants of the template, narrowed by this planning step and by every planning step above it. */
function granted(state: RunState, step: Step, template: Template): Grants {
  const known = remembered.get(step);
  if (known?.template === template) return known.granted;
  const { allow, deny } = planningOf(step);
  const above =
    step.provenance === undefined
      ? permitted(template)
      : granted(state, stepOf(state, step.provenance.planner), template);
  const within = without(above, onlyWith(step.spec.effects));
  const narrowed = allow.length === 0 && deny.length === 0 ? within : narrow(within, allow, deny);
  remembered.set(step, { template, granted: narrowed });
  return narrowed;
}

/** The template with the tools that were found for the step's plan. */
function withFound(template: Template, { found }: Step): Template {
  if (found.length === 0) return template;
  const more = Object.fromEntries(found.map((each) => [each.name, each] as const));
  return { ...template, capabilities: { ...more, ...template.capabilities } };
}

function permitted({ capabilities, effects }: Template): Grants {
  return without({ declarations: capabilities, denied: new Set(), ruledOut: new Map() }, effects);
}

/** The grants without the capabilities that the policy denies. */
function without({ declarations, denied, ruledOut }: Grants, policy: EffectsPolicy | undefined): Grants {
  const refused = new Map<string, readonly Effect[]>();
  const left = Object.entries(declarations).filter(([name, declaration]) => {
    const approval = approvalFor(declaration, policy, 'grafted');
    if (approval.verdict === 'denied') refused.set(name, approval.effects);
    return approval.verdict !== 'denied';
  });
  if (refused.size === 0) return { declarations, denied, ruledOut };
  return { declarations: Object.fromEntries(left), denied, ruledOut: new Map([...ruledOut, ...refused]) };
}

function narrow({ declarations, denied, ruledOut }: Grants, allow: readonly string[], deny: readonly string[]): Grants {
  const kept: Record<string, Declaration> = {};
  const refused = new Set(denied);
  for (const [name, declaration] of Object.entries(declarations)) {
    if (isGranted(name, allow, deny)) kept[name] = declaration;
    else refused.add(name);
  }
  return { declarations: kept, denied: refused, ruledOut };
}

/** Producers by full id and by name; a name means the step of the nearest phase. */
function outsideOf(state: RunState, step: Step): ReadonlyMap<string, Producer> {
  const producers = new Map<string, Producer>();
  for (const each of visibleSteps(state, step)) {
    if (!isSatisfying(each)) continue;
    const schema = resultOf(each.spec, state.template.capabilities);
    const producer = {
      id: each.id,
      ...defined({ schema }),
      optional: each.status === 'skipped',
    };
    producers.set(each.id, producer);
    if (!producers.has(each.spec.name)) producers.set(each.spec.name, producer);
  }
  return producers;
}
