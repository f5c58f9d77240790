// Compares two runs: plans, steps and their results, output and spend. Steps correspond by id.
import { digestOf } from '../../base/digest.ts';
import { defined, type Json } from '../../base/json.ts';
import { type Amount, quantity, resources } from '../../budget/amount.ts';
import { shownRow } from '../../budget/display-figures.ts';
import type { EventOf, Recorded } from '../../engine/record/event.schema.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import { RUN_ACCOUNT, type Step, type StepStatus } from '../../engine/state/state.ts';
import { type PlanDiff, planDiff } from '../../planning/plan-diff.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import { storedValue } from '../stored-value.ts';
import { type ValueDifference, valueDiff } from './value-diff.ts';

export interface RunSide {
  readonly state: RunView;
  readonly events: readonly Recorded[];
  /** Reads the JSON under a digest. */
  blob(digest: string): string | undefined;
}

/** A side is absent if only the other run has the value. */
interface Sides<T> {
  readonly left?: T;
  readonly right?: T;
}

export interface StepDifference extends Sides<StepStatus> {
  readonly step: string;
  /** The differences if both have a result. */
  readonly result?: readonly ValueDifference[];
  /** Both had an input, and the inputs differ. */
  readonly input?: true;
  readonly attempts?: Sides<number>;
}

/** The plan that a planning step grafted. */
interface Plan {
  readonly rationale: string;
  readonly steps: readonly string[];
}

export interface PlanDifference extends Sides<Plan> {
  readonly planner: string;
  /** The difference if both have planned. */
  readonly steps?: PlanDiff;
}

export interface RunDifference {
  readonly left: string;
  readonly right: string;
  /** The last event that both have, if one run is a fork of the other. */
  readonly common?: number;
  readonly template?: Sides<string>;
  readonly status?: Sides<string>;
  readonly input: readonly ValueDifference[];
  readonly plans: readonly PlanDifference[];
  readonly steps: readonly StepDifference[];
  readonly output: readonly ValueDifference[];
  /** By resource; micro-dollars for cost. */
  readonly spent: readonly ({ readonly resource: string } & Required<Sides<number>>)[];
}

export function runDiff(left: RunSide, right: RunSide): RunDifference {
  const [before, after] = [left.state, right.state];
  const common = commonOf(before, after);
  const ids = new Set([...before.steps.keys(), ...after.steps.keys()]);
  return {
    left: before.id,
    right: after.id,
    ...defined({ common }),
    ...differing('template', before.template.digest, after.template.digest),
    ...differing('status', before.ended?.status ?? before.status, after.ended?.status ?? after.status),
    input: valueDiff(storedValue(before.input, left.blob), storedValue(after.input, right.blob)),
    plans: planDiffs(plansOf(left.events), plansOf(right.events)),
    steps: [...ids].flatMap((id) => stepDiff(id, left, right)),
    output: valueDiff(outputOf(left), outputOf(right)),
    spent: spentDiff(spentOf(before), spentOf(after)),
  };
}

/** For machines: money in dollars. */
export function shownDifference(difference: RunDifference): RunDifference {
  return { ...difference, spent: difference.spent.map((row) => shownRow(row, ['left', 'right'])) };
}

export function isSame({ template, status, input, plans, steps, output, spent }: RunDifference): boolean {
  const lists = [input, plans, steps, output, spent];
  return template === undefined && status === undefined && lists.every(({ length }) => length === 0);
}

function commonOf(left: RunView, right: RunView): number | undefined {
  if (right.forked?.from === left.id) return right.forked.at;
  return left.forked?.from === right.id ? left.forked.at : undefined;
}

function differing<K extends string>(key: K, left: string, right: string): Partial<Record<K, Sides<string>>> {
  return (left === right ? {} : { [key]: { left, right } }) as Partial<Record<K, Sides<string>>>;
}

function outputOf({ state, blob }: RunSide): Json | undefined {
  return state.ended === undefined ? undefined : storedValue(state.ended.output, blob);
}

type Grafts = ReadonlyMap<string, EventOf<'fragment.grafted'>>;

function plansOf(events: readonly Recorded[]): Grafts {
  return new Map(events.flatMap(({ event }) => (event.type === 'fragment.grafted' ? [[event.planner, event]] : [])));
}

function planDiffs(left: Grafts, right: Grafts): readonly PlanDifference[] {
  const planners = new Set([...left.keys(), ...right.keys()]);
  return [...planners].flatMap((planner) => {
    const [before, after] = [left.get(planner), right.get(planner)];
    if (before?.fragment === after?.fragment) return [];
    return [
      {
        planner,
        ...(before && { left: planOf(before) }),
        ...(after && { right: planOf(after) }),
        ...(before && after && { steps: planDiff(specsOf(before), specsOf(after)) }),
      },
    ];
  });
}

function specsOf({ steps }: EventOf<'fragment.grafted'>): readonly StepSpec[] {
  return steps.map(({ spec }) => spec);
}

function planOf({ rationale, steps }: EventOf<'fragment.grafted'>): Plan {
  return { rationale, steps: steps.map(({ id }) => id) };
}

function stepDiff(id: string, left: RunSide, right: RunSide): readonly StepDifference[] {
  const [before, after] = [left.state.steps.get(id), right.state.steps.get(id)];
  const result = before && after ? resultDiff(before, after, left, right) : [];
  const isInput = before?.inputDigest !== undefined && after?.inputDigest !== undefined;
  const input = isInput && before.inputDigest !== after.inputDigest;
  const attempts = before && after && before.attempt !== after.attempt;
  if (before?.status === after?.status && result.length === 0 && !input && !attempts) return [];
  return [
    {
      step: id,
      ...(before && { left: before.status }),
      ...(after && { right: after.status }),
      ...(result.length === 0 ? {} : { result }),
      ...(input ? ({ input } as const) : {}),
      ...(attempts ? { attempts: { left: before.attempt, right: after.attempt } } : {}),
    },
  ];
}

function resultDiff(before: Step, after: Step, left: RunSide, right: RunSide): readonly ValueDifference[] {
  // The plans of planning steps are compared elsewhere.
  if (before.result === undefined || after.result === undefined || before.spec.type === 'planning') return [];
  const [one, other] = [storedValue(before.result, left.blob), storedValue(after.result, right.blob)];
  return digestOf(one) === digestOf(other) ? [] : valueDiff(one, other);
}

function spentOf({ ledger }: RunView): Amount {
  return ledger.accounts.get(RUN_ACCOUNT)?.spent ?? {};
}

function spentDiff(left: Amount, right: Amount): RunDifference['spent'] {
  return resources.flatMap((resource) => {
    const sides = { left: quantity(left, resource), right: quantity(right, resource) };
    return sides.left === sides.right ? [] : [{ resource, ...sides }];
  });
}
