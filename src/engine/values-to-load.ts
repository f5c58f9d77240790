// Lists the large values that a command needs. The caller loads them: the core never reads.
import type { Digest } from '../base/digest.ts';
import { isPlain } from '../template/interpolate.ts';
import { criticModelOf, readsInFull } from '../template/model-use.ts';
import type { StepSpec } from '../template/step-spec.ts';
import { storedOutcomes, storedResults } from './attempt/call-outcomes.ts';
import { takesSeveralCalls } from './attempt/several-calls.ts';
import { sinksOf } from './order/finish-run.ts';
import { plannerFor, planningOf } from './packet/frame-of.ts';
import { keptForRepair } from './packet/repair-brief-of.ts';
import { originalOf } from './queries/lineage.ts';
import { visibleSteps } from './queries/visible-phases.ts';
import type { Command } from './record/command.ts';
import type { StoredValue } from './record/event-parts.schema.ts';
import { storedToAdopt } from './repair/adopt-finished-work.ts';
import { callsOfEarlierAttempts } from './repair/idempotency-key.ts';
import { isAtMostOnce } from './state/at-most-once.ts';
import { hasExpired, openGatesOf } from './state/deadline.ts';
import { type Gate, type RunState, type Step, stepOf } from './state/state.ts';
import { keptFor } from './values/bindings.ts';
import { keptForSummary } from './values/rolling-summary.ts';

const NONE: readonly never[] = [];

/** Digests of blobs, each once; empty for nearly every command. */
export function valuesToLoad(state: RunState, command: Command): readonly Digest[] {
  switch (command.type) {
    case 'start-step': {
      const step = stepOf(state, command.step);
      const found = digestsOf(forStart(state, step));
      // A planner that plans again goes on from its last brief.
      return step.brief === undefined ? found : [...new Set([...found, step.brief])];
    }
    case 'settle': {
      const step = stepOf(state, command.step);
      if (step.spec.type === 'planning' || takesSeveralCalls(step)) return forTurn(state, step);
      // A person who is asked about the outcome of a call is shown its input.
      if (isAtMostOnce(state, step, step.spec.capability ?? '')) return forTurn(state, step);
      return step.spec.verification === undefined ? [] : digestsOf(keptFor(state, step));
    }
    case 'call':
    case 'wake':
      return forTurn(state, stepOf(state, command.step));
    case 'attach':
      return [...new Set([...state.running].flatMap((id) => forTurn(state, stepOf(state, id))))];
    case 'finish':
      return digestsOf([state.input, ...forOutput(state)]);
    case 'review':
      return digestsOf(forGate(state, state.gates.get(command.gate)));
    case 'expire':
      return digestsOf(
        openGatesOf(state).flatMap((gate) => (hasExpired(gate, command.at) ? forGate(state, gate) : [])),
      );
    case 'take-back':
    case 'suspend':
    case 'start-run':
    case 'pause':
    case 'resume':
    case 'cancel':
    case 'resolve-step':
    case 'retry-step':
    case 'raise-budget':
      return [];
  }
}

function digestsOf(kept: readonly StoredValue[]): readonly Digest[] {
  if (kept.length === 0) return NONE;
  return [...new Set(kept.flatMap((each) => ('digest' in each ? [each.digest] : [])))];
}

/** The values for the next call of a step: also the brief and the request under way. */
function forTurn(state: RunState, step: Step): readonly Digest[] {
  const brief = step.brief === undefined ? [] : [step.brief];
  const last = step.calls.at(-1);
  const underWay = last !== undefined && last.outcome === undefined ? [last.request] : [];
  return [...new Set([...digestsOf(forStart(state, step)), ...brief, ...underWay])];
}

function forStart(state: RunState, step: Step): readonly StoredValue[] {
  const said = [
    ...storedOutcomes(step),
    ...(step.spec.agent === undefined ? [] : storedResults(callsOfEarlierAttempts(state, step))),
  ];
  return said.length === 0 ? asBegun(state, step) : [...asBegun(state, step), ...said];
}

function asBegun(state: RunState, step: Step): readonly StoredValue[] {
  if (step.spec.type === 'planning') {
    return [
      state.input,
      ...state.given.values(),
      ...(state.learned === undefined ? [] : [state.learned]),
      ...resultsFor(state, step),
      ...fromPeople(step),
      ...(step.proposal === undefined ? [] : [step.proposal]),
      ...(step.repairs === undefined ? [] : forRepair(state, step)),
    ];
  }
  if (step.expanded !== undefined) return forGathering(state, step, step.expanded);
  const agreed = fromPeople(step);
  const finished = storedToAdopt(state, step);
  const around = looksAround(step.spec) ? [state.input, ...keptFor(state, step), ...keptForSummary(state, step)] : NONE;
  return around.length + agreed.length + finished.length === 0 ? NONE : [...around, ...agreed, ...finished];
}

/** The results for a packet. A planner that reads in full loads them itself. */
function resultsFor(state: RunState, step: Step): readonly StoredValue[] {
  const original = originalOf(state, step);
  if (!readsInFull(plannerFor(state, step)) || criticModelOf(state.template) !== undefined)
    return visibleSteps(state, step).flatMap(({ result }) => result ?? []);
  const { goal } = planningOf(original);
  return goal === undefined || isPlain(goal) ? NONE : keptFor(state, original);
}

/** People's answers to a step, and the call that they approved. */
function fromPeople({ people }: Step): readonly StoredValue[] {
  if (people === undefined) return NONE;
  const answers = people.answers.map(({ answer }) => answer);
  return people.approved === undefined ? answers : [...answers, people.approved];
}

/** The input of the gate's step, and the plan that the gate holds. */
function forGate(state: RunState, gate: Gate | undefined): readonly StoredValue[] {
  if (gate === undefined || gate.end !== undefined) return NONE;
  const step = stepOf(state, gate.step);
  return forStart(state, step);
}

/** The results of a fan-out's items, once all have ended. */
function forGathering(state: RunState, step: Step, items: readonly string[]): readonly StoredValue[] {
  const results = items.flatMap((id) => stepOf(state, id).result ?? []);
  return step.spec.verification === undefined ? results : [...results, ...keptFor(state, step)];
}

function forRepair(state: RunState, step: Step): readonly StoredValue[] {
  return [...keptFor(state, originalOf(state, step)), ...keptForRepair(state, step)];
}

function forOutput(state: RunState): StoredValue[] {
  const steps =
    state.template.output === undefined ? sinksOf(state) : state.template.steps.map(({ name }) => stepOf(state, name));
  return steps.flatMap(({ result }) => (result === undefined ? [] : [result]));
}

/** Whether a step refers to results or inputs, or shows them to a person. */
function looksAround(spec: StepSpec): boolean {
  const { type, when, expr, verification, decision, gate, approval, input, fanOut, agent, attachments = [] } = spec;
  if (type === 'synthesis_gate' || agent !== undefined || gathers(spec)) return true;
  const looks = [when, expr, verification, decision?.choose, gate, approval];
  const values = [input ?? null, fanOut?.forEach ?? null, ...attachments.map(({ ref }) => ref)];
  return looks.some((each) => each !== undefined) || !values.every(isPlain);
}

/** Whether the result of a step is the record of gathered results. */
function gathers({ type, capability, agent, input }: StepSpec): boolean {
  return (type === 'deferred' || type === 'task') && (capability ?? agent ?? input) === undefined;
}
