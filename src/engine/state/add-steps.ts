// Adds steps to a run: the authored steps when it starts, then the steps of grafts, fan-outs and repairs.
import { present } from '../../base/fault.ts';
import type { Amount } from '../../budget/amount.ts';
import { charge, openAccount, release, reserve } from '../../budget/ledger.ts';
import { graftInto } from '../../graph/graft.ts';
import { addEdge, addNode, predecessors } from '../../graph/plan-graph.ts';
import type { GraftedStep } from '../../planning/prepare-graft.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { EventOf } from '../record/event.schema.ts';
import { landingOf, landingReserve } from './landing-set.ts';
import { accountAbove, makeReady, setStatus } from './move-step.ts';
import { newStep } from './new-step.ts';
import { isTerminal, type Lineage, type Provenance, RUN_ACCOUNT, type RunState, type Step, stepOf } from './state.ts';

export function startRun(state: RunState, event: EventOf<'run.started'>): void {
  const { template } = state;
  state.id = event.run;
  state.folder = event.folder;
  state.input = event.input;
  state.reuse = event.reuse ?? [];
  state.given = new Map(Object.entries(event.given ?? {}));
  state.learned = event.learned;
  state.parent = event.parent;
  state.traceparent = event.traceparent;
  state.tracestate = event.tracestate;
  state.startedBy = event.by;
  state.startedAt = state.at;
  state.status = 'running';
  const { limit, wallClock, planningDepth } = template.budget;
  const landing = landingReserve(template.budget);
  openAccount(state.ledger, RUN_ACCOUNT, undefined, limit, { landing, wallClock, planningDepth });
  for (const spec of template.steps) {
    addStep(state, {
      id: spec.name,
      spec,
      provenance: undefined,
      refs: undefined,
      account: RUN_ACCOUNT,
      target: spec.planning?.target,
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
  for (const step of state.steps.values()) {
    step.waiting = step.spec.dependencies.length;
    if (step.waiting === 0) makeReady(state, step);
  }
}

export function graft(state: RunState, event: EventOf<'fragment.grafted'>): void {
  const planner = stepOf(state, event.planner);
  const depth = (planner.provenance?.depth ?? 0) + 1;
  for (const grafted of event.steps) addGrafted(state, planner, event, grafted, depth);
  graftInto(state.graph, {
    nodes: event.steps.map(({ id, dependencies }) => ({ id, after: dependencies })),
    target: event.target,
    terminals: event.terminals,
  });
  for (const { target } of event.steps) if (target !== undefined) markTarget(state, target);
  stepOf(state, event.target).waiting += event.terminals.length;
  postGraft(state, planner, event.amount);
  state.phases.set(event.planner, {
    planner: event.planner,
    target: event.target,
    rationale: event.rationale,
    intents: event.intents,
    steps: event.steps.map(({ id }) => id),
    forced: event.forced === true,
  });
  for (const { id } of event.steps) {
    const step = stepOf(state, id);
    if (step.waiting === 0) makeReady(state, step);
  }
}

/** The items of a fan-out depend on the steps that the fan-out waited for, and the fan-out waits for its items. */
export function expand(state: RunState, { step: id, items }: EventOf<'fan_out.expanded'>): void {
  const step = stepOf(state, id);
  const { provenance, refs, account } = step;
  const { do: spec, maxWidth } = present(step.spec.fanOut, `fan-out of ${id}`);
  const above = accountAbove(state, step);
  release(state.ledger, above, { steps: maxWidth });
  if (items.length > 0) charge(state.ledger, above, { steps: items.length });
  const before = predecessors(state.graph, id);
  step.expanded = items.map((_, index) => `${id}/${index}`);
  step.waiting = items.length;
  setStatus(state, step, items.length === 0 ? 'ready' : 'waiting');
  items.forEach((value, index) => {
    const item = `${id}/${index}`;
    addStep(state, { id: item, spec, provenance, refs, account, target: undefined, item: { of: id, value } });
    for (const each of before) addEdge(state.graph, each, item);
    addEdge(state.graph, item, id);
    if (state.landing.has(id)) state.landing.add(item);
  });
  for (const item of step.expanded) makeReady(state, stepOf(state, item));
}

/** Adds a repair between the steps of its phase that have begun and the target of the phase. */
export function startReplan(state: RunState, event: EventOf<'replan.started'>): void {
  const { step: id, planner, target, scope, failing, after, trial, readyAt } = event;
  const of = planner === undefined ? undefined : stepOf(state, planner);
  const lineage = of?.repairs?.lineage ?? of?.id ?? FRAME_REPAIR;
  const account = of?.account ?? RUN_ACCOUNT;
  const step = addStep(state, {
    id,
    spec: of?.spec ?? present(state.template.repair, 'repair planner'),
    provenance: of?.provenance,
    refs: of?.refs,
    account,
    target,
    repairs: { planner, lineage, scope, failing, trial, readyAt },
  });
  for (const each of after) addEdge(state.graph, each, id);
  addEdge(state.graph, id, target);
  step.waiting = after.filter((each) => !isTerminal(stepOf(state, each))).length;
  step.converges = true;
  const ahead = stepOf(state, target);
  ahead.waiting += 1;
  // A held target was asked about before it was judged.
  if (ahead.status === 'held') setStatus(state, ahead, 'waiting');
  charge(state.ledger, account, { steps: 1, replans: 1 });
  for (const each of failing) stepOf(state, each).takenUp = id;
  const { repairs, whole }: Pick<Lineage, 'repairs' | 'whole'> = state.lineages.get(lineage) ?? {
    repairs: [],
    whole: 0,
  };
  repairs.push(id);
  state.lineages.set(lineage, { repairs, whole: whole + (scope === 'phase' ? 1 : 0), lastAt: readyAt });
  if (step.waiting === 0) makeReady(state, step);
}

/** Hands a failed step to a repair that has not begun. The repair waits for the step, so that its planner sees the failure. */
export function joinRepair(state: RunState, step: Step, repair: string): void {
  step.takenUp = repair;
  const { repairs } = stepOf(state, repair);
  if (repairs !== undefined && !repairs.failing.includes(step.id)) repairs.failing = [...repairs.failing, step.id];
  if (addEdge(state.graph, step.id, repair)) stepOf(state, repair).waiting += 1;
}

/** The lineage of repairs by the template's own repair planner. No step can have this name. */
export const FRAME_REPAIR = 'template-repair';

interface AddedStep {
  readonly id: string;
  readonly spec: StepSpec;
  readonly provenance: Provenance | undefined;
  readonly refs: Readonly<Record<string, string>> | undefined;
  readonly account: string;
  readonly target: string | undefined;
  readonly item?: Step['item'];
  readonly repairs?: Step['repairs'];
}

function addStep(state: RunState, added: AddedStep): Step {
  const { id, spec, provenance, refs, account, target, item, repairs } = added;
  // A repair is paid for by the account of the plan that it repairs.
  const own = spec.budget === undefined || repairs !== undefined ? account : id;
  if (own !== account) {
    const { limit = {}, wallClock, planningDepth } = spec.budget ?? {};
    openAccount(state.ledger, id, account, limit, { wallClock, planningDepth });
  }
  if (spec.fanOut !== undefined) reserve(state.ledger, account, { steps: spec.fanOut.maxWidth });
  const step = newStep({
    id,
    spec,
    provenance,
    refs,
    target,
    account: own,
    converges: spec.type === 'deferred' || spec.convergence !== undefined,
    item,
    repairs,
    since: state.version,
  });
  state.steps.set(id, step);
  addNode(state.graph, step);
  state.live += 1;
  state.tally[step.status] += 1;
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
  });
  step.waiting = dependencies.filter((each) => {
    const dependency = state.steps.get(each);
    return dependency === undefined || !isTerminal(dependency);
  }).length;
}

/** The phase of a planning step was reserved when the step was added. A repair adds no phase. */
function postGraft(state: RunState, planner: Step, { steps = 0, phases = 0 }: Amount): void {
  const above = accountAbove(state, planner);
  if (planner.repairs === undefined) {
    release(state.ledger, above, { phases: 1 });
    charge(state.ledger, above, { phases: 1 });
  }
  if (steps > 0) charge(state.ledger, planner.account, { steps });
  if (phases > 0) reserve(state.ledger, planner.account, { phases });
}
