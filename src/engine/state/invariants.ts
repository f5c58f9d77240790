// The invariants E1 to E10 of a run, as functions that return one sentence for each violation.
import { Fault } from '../../base/fault.ts';
import { limitable, quantity } from '../../budget/amount.ts';
import { type Account, accountChain } from '../../budget/ledger.ts';
import { cycleIn } from '../../graph/cycle.ts';
import { predecessors, successors } from '../../graph/plan-graph.ts';
import { reachableFrom } from '../../graph/reach.ts';
import type { Effect } from '../record/effect.ts';
import type { Recorded } from '../record/event.schema.ts';
import { timeUpFor } from './deadline.ts';
import { runsWithout } from './joined-branches.ts';
import { isSatisfying, isTerminal, RUN_ACCOUNT, type RunState, type Step, type StepStatus, stepOf } from './state.ts';
import { countedStatus, newTally } from './step-tally.ts';

export type Invariant = (state: RunState) => readonly string[];

/** E1: the graph is acyclic. */
const acyclic: Invariant = (state) => {
  const cycle = cycleIn(state.graph);
  return cycle === undefined ? [] : [`E1: cycle ${cycle.join(' → ')}`];
};

/** E3: every live planning step has a convergence target downstream that has not fired. */
const targetAhead: Invariant = (state) =>
  each(state, (step) => {
    if (step.spec.type !== 'planning' || isTerminal(step)) return undefined;
    if (step.target === undefined) return `E3: ${step.id} has no target`;
    const target = stepOf(state, step.target);
    if (target.status !== 'waiting' && !isTerminal(target)) return `E3: ${step.target} fired before ${step.id} planned`;
    const downstream = reachableFrom([step.id], (id) => successors(state.graph, id));
    return downstream.has(step.target) ? undefined : `E3: ${step.target} is not downstream of ${step.id}`;
  });

/** E4: for every account, spent + reserved ≤ limit, unless it is marked overdrawn. */
const withinLimits: Invariant = (state) =>
  [...state.ledger.accounts.values()].flatMap((account) =>
    limitable.flatMap((of) => {
      const limit = account.limit[of];
      const used = quantity(account.spent, of) + quantity(account.reserved, of);
      const negative = quantity(account.reserved, of) < 0;
      if (negative) return [`E4: ${account.id} has reserved ${of} below zero`];
      return limit === undefined || account.overdrawn || used <= limit
        ? []
        : [`E4: ${account.id} uses ${used} ${of} of ${limit}`];
    }),
  );

/** Statuses of a step whose predecessors have all ended. */
const hasStood: ReadonlySet<StepStatus> = new Set(['ready', 'running', 'retrying', 'held', 'completed']);

/** E5: a step runs only when its readiness rule holds, and is ready when it does. */
const readiness: Invariant = (state) =>
  each(state, (step) => {
    const before = predecessors(state.graph, step.id).map((id) => stepOf(state, id));
    const open = before.filter((other) => !isTerminal(other)).length;
    if (!isTerminal(step) && open !== step.waiting)
      return `E5: ${step.id} counts ${step.waiting} open predecessors of ${open}`;
    const began = hasStood.has(step.status);
    if (!began)
      return step.status === 'waiting' && open === 0 && state.status === 'running'
        ? `E5: ${step.id} waits for nothing`
        : undefined;
    if (open > 0) return `E5: ${step.id} is ${step.status} before ${open} predecessors ended`;
    const converges = step.converges || (step.item !== undefined && stepOf(state, step.item.of).converges);
    // A fan-out runs whether its items succeeded or failed.
    const isDropped = ({ skipped, root }: Step): boolean =>
      skipped === 'not_chosen' && root !== undefined && runsWithout(state, step, root);
    if (!converges && !before.every((other) => other.item?.of === step.id || isSatisfying(other) || isDropped(other)))
      return `E5: ${step.id} is ${step.status} behind a failure`;
    return undefined;
  });

/** E4: the clock of an account counts the pending attempts and backoffs that the account pays for. */
const clocksRight: Invariant = ({ ledger, steps, running, retrying, status }) => {
  const pending = [...running, ...(status === 'paused' ? [] : retrying)];
  const ways = pending.flatMap((id) => accountChain(ledger, steps.get(id)?.account ?? RUN_ACCOUNT));
  return [...ledger.accounts.values()].flatMap((account) => {
    const counted = account.clock?.pending;
    const really = ways.filter((each) => each === account).length;
    return counted === undefined || counted === really
      ? []
      : [`E4: the clock of ${account.id} counts ${counted} pending of ${really}`];
  });
};

/** The counters and sets agree with the steps. */
const counted: Invariant = (state) => {
  const steps = [...state.steps.values()];
  const live = steps.filter((step) => !isTerminal(step)).length;
  const running = steps.filter((step) => step.status === 'running').length;
  const ready = steps.filter((step) => step.status === 'ready').length;
  const retrying = steps.filter((step) => step.status === 'retrying').length;
  const broken: string[] = [];
  const tally = newTally();
  for (const step of steps) tally[countedStatus(step)] += 1;
  const [kept, really] = [state.tally, tally].map((each) => JSON.stringify(each));
  if (kept !== really) broken.push(`the tally ${kept} of ${really}`);
  if (live !== state.live) broken.push(`${state.live} live of ${live}`);
  if (running !== state.running.size) broken.push(`${state.running.size} running of ${running}`);
  if (ready !== state.ready.size) broken.push(`${state.ready.size} ready of ${ready}`);
  if (retrying !== state.retrying.size) broken.push(`${state.retrying.size} retrying of ${retrying}`);
  if (steps.some((step) => isTerminal(step) && step.reserved !== undefined))
    broken.push('an ended step holds a reservation');
  return broken;
};

/** E7, at rest: a run that has not ended always has something that moves it. */
const moves: Invariant = (state) => {
  if (state.status !== 'running' || state.live === 0) return [];
  return state.running.size + state.ready.size + state.retrying.size + state.openGates.size > 0
    ? []
    : ['E7: steps are live and nothing can move'];
};

/** E7: an open gate holds at least one step, and a held step has an open gate. */
const held: Invariant = (state) => [
  ...[...state.openGates].flatMap((id) =>
    state.gates.get(id)?.holds.size ? [] : [`E7: gate ${id} is open and holds nothing`],
  ),
  ...each(state, ({ id, status, people }) => {
    const gate = people?.gate;
    if ((status === 'held') !== (gate !== undefined)) return `E7: ${id} is ${status} and its gate is ${gate}`;
    if (gate !== undefined && !state.gates.get(gate)?.holds.has(id)) return `E7: ${id} is not held by its gate ${gate}`;
    return gate === undefined || state.openGates.has(gate) ? undefined : `E7: ${id} waits for ${gate}, which is over`;
  }),
];

/**
 * E2 and E3: `takenUp` names a repair of a failed step or the adopter of a completed one, and a superseded step never
 * began an attempt.
 */
const takenUp: Invariant = (state) =>
  each(state, ({ id, status, takenUp: by, repairs, attempt }) => {
    if (status === 'superseded' && attempt > 0) return `E2: ${id} was tried ${attempt} times and is superseded`;
    const stray = repairs?.failing.find((failing) => stepOf(state, failing).takenUp === undefined);
    if (stray !== undefined) return `E3: ${id} is to mend ${stray}, which is counted all the same`;
    if (by === undefined) return undefined;
    const other = stepOf(state, by);
    const isMended = other.repairs !== undefined && status !== 'completed';
    const isAdopted =
      status === 'completed' &&
      other.status === 'completed' &&
      (other.spec.capability ?? other.spec.agent) !== undefined;
    return isMended || isAdopted
      ? undefined
      : `E3: ${id} is ${status} and taken up by ${by}, which neither mends nor adopts it`;
  });

function each(state: RunState, ask: (step: Step) => string | undefined): readonly string[] {
  return [...state.steps.values()].flatMap((step) => ask(step) ?? []);
}

/** The invariants of a state between batches. Invariants about batches follow below. */
export const invariants: readonly Invariant[] = [
  acyclic,
  targetAhead,
  withinLimits,
  clocksRight,
  readiness,
  counted,
  moves,
  held,
  takenUp,
];

/** E6 and E9: an ended step has no due effect, and no two effects of a batch share a key. */
export function brokenByEffects(state: RunState, effects: readonly Effect[]): readonly string[] {
  const keys = new Set<string>();
  return effects.flatMap((effect) => {
    if (effect.type === 'abort') return [];
    const broken: string[] = [];
    if (isTerminal(stepOf(state, effect.step))) broken.push(`E6: an effect of ${effect.step}, which has ended`);
    if (keys.has(effect.key)) broken.push(`E9: the key ${effect.key} twice`);
    keys.add(effect.key);
    return broken;
  });
}

/** The whole state is checked after this many events for each step of the run. */
const PART = 1 / 50;

/**
 * Checks the invariants of one run after each batch: its events always, its whole state only so often that the checks
 * cost as much as the events. @throws Fault when an invariant is broken
 */
export function watchInvariants(): (state: RunState, events: readonly Recorded[]) => void {
  let seen = 0;
  return (state, events) => {
    const isDue = state.status === 'ended' || state.version - seen >= state.steps.size * PART;
    if (isDue) seen = state.version;
    const broken = [...(isDue ? invariants.flatMap((holds) => holds(state)) : []), ...brokenByEvents(state, events)];
    if (broken.length > 0) throw new Fault(`run ${state.id} breaks its invariants: ${broken.join('; ')}`);
  };
}

function overdrawnFor({ ledger, steps }: RunState, id: string): Account | undefined {
  return accountChain(ledger, steps.get(id)?.account ?? RUN_ACCOUNT).find(({ overdrawn }) => overdrawn);
}

/**
 * E2, E4, E9 and E10: a graft changes no step that has begun, no attempt begins without time and money, work is adopted
 * once, and every event has an earlier cause or an order.
 */
function brokenByEvents(state: RunState, events: readonly Recorded[]): readonly string[] {
  return events.flatMap(({ version, at, cause, event }) => {
    const broken: string[] = [];
    if (cause >= version || cause < 0) broken.push(`E10: event ${version} (${event.type}) is caused by ${cause}`);
    const late = event.type === 'attempt.started' ? timeUpFor(state, stepOf(state, event.step), at) : undefined;
    if (late !== undefined) broken.push(`E4: an attempt began when the time of ${late.id} was over`);
    const spent =
      event.type === 'attempt.started' && event.reserved !== undefined ? overdrawnFor(state, event.step) : undefined;
    if (spent !== undefined) broken.push(`E4: an attempt began that ${spent.id} pays for, which is overdrawn`);
    if (event.type === 'fragment.grafted' && stepOf(state, event.target).attempt > 0) {
      broken.push(`E2: the graft of ${event.planner} changed ${event.target}, which had begun`);
    }
    if (event.type === 'step.adopted' && event.run === undefined && stepOf(state, event.from).takenUp !== event.step) {
      broken.push(`E9: the work of ${event.from} was adopted twice`);
    }
    return broken;
  });
}
