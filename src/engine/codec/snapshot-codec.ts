// Snapshots: a run's state as text, so that its events need not be folded again. A cache, never the truth.

import { type Digest, digestOf } from '../../base/digest.ts';
import { Fault, present } from '../../base/fault.ts';
import { defined } from '../../base/json.ts';
import type { Account } from '../../budget/ledger.ts';
import { distances, graphFrom } from '../../graph/plan-graph.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Template } from '../../template/template.ts';
import { newStep } from '../state/new-step.ts';
import type { RunView } from '../state/run-view.ts';
import { type Gate, newState, RUN_ACCOUNT, type RunState, type Step } from '../state/state.ts';

/** A step whose fields all have their initial values. */
const blank: Step = Object.freeze(
  newStep({
    id: '',
    spec: {} as StepSpec,
    provenance: undefined,
    refs: undefined,
    target: undefined,
    account: RUN_ACCOUNT,
    converges: false,
    item: undefined,
    repairs: undefined,
    since: 0,
  }),
);

/** The version of the layout below; every change to the layout raises it. */
const LAYOUT = 2;

/** Digest of the field names of a state: a snapshot with another digest was written by another version. */
export const stateShape: Digest = digestOf([LAYOUT, Object.keys(newState({} as Template)), Object.keys(blank)]);

/** One field of all steps: a value for each step in turn, or the most frequent value and its exceptions. */
type Column =
  | readonly unknown[]
  | { readonly most?: unknown; readonly places: readonly number[]; readonly others: readonly unknown[] };

interface SnapshotContent {
  readonly steps: {
    /** The ids of the steps that plans brought; the template's own steps come before them. */
    readonly ids: readonly string[];
    /** The place of the declaration of each of these steps; see `declarations`. */
    readonly spec: readonly number[];
    /** Declarations that plans brought. */
    readonly specs: readonly StepSpec[];
    /** By name of the field; a field that equals the blank step everywhere is left out. */
    readonly columns: Readonly<Record<string, Column>>;
    readonly apart: readonly (readonly number[])[];
  };
  readonly gates: readonly (Omit<Gate, 'holds'> & { readonly holds: readonly string[] })[];
  readonly accounts: readonly (Omit<Account, 'parent'> & { readonly parent?: string })[];
  /** Maps and sets as lists. */
  readonly rest: Readonly<Record<string, unknown>>;
}

export function snapshotText(state: RunView): string {
  const { template: _, consequences, steps, graph, gates, ledger, ...rest } = state;
  if (consequences.length > 0) throw new Fault('a snapshot is taken between batches');
  const saved: SnapshotContent = {
    steps: { ...grownIn(state), columns: columnsOf([...steps.values()]), apart: distances(graph) },
    gates: [...gates.values()].map((gate) => ({ ...gate, holds: [...gate.holds] })),
    accounts: [...ledger.accounts.values()].map(({ parent, ...account }) => ({
      ...account,
      ...defined({ parent: parent === undefined ? undefined : parent.id }),
    })),
    rest: Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, listed(value)])),
  };
  return JSON.stringify(saved);
}

function listed(value: unknown): unknown {
  return value instanceof Map || value instanceof Set ? [...value] : value;
}

/** Declarations by place: those of the template, then those of plans; and after each that fans out, that of its items. */
function declarations({ steps, repair }: Template, planned: readonly StepSpec[]): readonly StepSpec[] {
  const whole = [...steps, ...(repair === undefined ? [] : [repair]), ...planned];
  return whole.flatMap((spec) => (spec.fanOut === undefined ? spec : [spec, spec.fanOut.do]));
}

function grownIn({ steps, template }: RunView): Pick<SnapshotContent['steps'], 'ids' | 'spec' | 'specs'> {
  const grown = [...steps.values()].slice(template.steps.length);
  const specs: StepSpec[] = [];
  const places = new Map(grown.length === 0 ? [] : declarations(template, specs).map((spec, place) => [spec, place]));
  const spec = grown.map((step) => {
    if (!places.has(step.spec)) {
      specs.push(step.spec);
      places.set(step.spec, places.size);
      if (step.spec.fanOut !== undefined) places.set(step.spec.fanOut.do, places.size);
    }
    return places.get(step.spec) ?? 0;
  });
  return { ids: grown.map(({ id }) => id), spec, specs };
}

function columnsOf(steps: readonly Step[]): SnapshotContent['steps']['columns'] {
  const named = Object.keys(blank).filter((name) => name !== 'id' && name !== 'spec') as (keyof Step)[];
  const columns = named.map((name) => [name, columnOf(steps, name)] as const);
  return Object.fromEntries(
    columns.filter(([name, each]) => !('most' in each) || each.most !== blank[name] || each.places.length > 0),
  );
}

/**
 * Takes the first step's value as the most frequent one, and lists the exceptions; with many exceptions, all values.
 */
function columnOf(steps: readonly Step[], name: keyof Step): Column {
  const usual = blank[name];
  const first = steps[0]?.[name];
  const most = typeof first === 'object' ? usual : first;
  const places = steps.flatMap((step, place) => (isAs(most, step[name]) ? [] : place));
  if (places.length > steps.length / 2) return steps.map((step) => step[name]);
  return { most, places, others: places.map((place) => steps[place]?.[name]) };
}

/** Two empty lists are equal. */
function isAs(most: unknown, value: unknown): boolean {
  return value === most || (Array.isArray(most) && most.length === 0 && Array.isArray(value) && value.length === 0);
}

/** Reads a text that `snapshotText` wrote for a state of the same shape and template. */
export function stateFrom(text: string, template: Template): RunState {
  const { steps, gates, accounts, rest } = JSON.parse(text) as SnapshotContent;
  const state = newState(template);
  const { registered } = state;
  for (const [name, value] of Object.entries(rest)) restore(state, name as keyof RunState, value);
  if (registered.size > 0)
    state.template = { ...template, capabilities: { ...template.capabilities, ...Object.fromEntries(registered) } };
  for (const gate of gates) state.gates.set(gate.id, { ...gate, holds: new Set(gate.holds) });
  for (const { parent, ...account } of accounts) {
    const above = parent === undefined ? undefined : state.ledger.accounts.get(parent);
    state.ledger.accounts.set(account.id, { ...account, parent: above });
  }
  for (const step of stepsFrom(steps, template)) state.steps.set(step.id, step);
  return { ...state, graph: graphFrom([...state.steps.values()], steps.apart) };
}

function restore(state: RunState, name: keyof RunState, value: unknown): void {
  const field: unknown = state[name];
  if (field instanceof Map) for (const [key, each] of value as [unknown, unknown][]) field.set(key, each);
  else if (field instanceof Set) for (const each of value as unknown[]) field.add(each);
  else Object.assign(state, { [name]: value });
}

function stepsFrom({ ids, spec, specs, columns }: SnapshotContent['steps'], template: Template): readonly Step[] {
  const usual: Record<string, unknown> = { ...blank };
  for (const [name, column] of Object.entries(columns)) if ('places' in column) usual[name] = column.most;
  const declared = declarations(template, specs);
  const steps = [
    ...template.steps.map((each) => ({ ...usual, id: each.name, spec: each })),
    ...ids.map((id, place) => ({ ...usual, id, spec: present(declared[spec[place] ?? -1], 'a declaration') })),
  ] as unknown as Record<string, unknown>[];
  for (const [name, column] of Object.entries(columns)) {
    if ('places' in column) fill(steps, name, column.others, column.places);
    else fill(steps, name, column);
  }
  return steps as unknown as Step[];
}

/** Reads null as undefined: JSON lists hold null for undefined, and no field of a step is ever null. */
function fill(
  steps: readonly Record<string, unknown>[],
  name: string,
  values: readonly unknown[],
  places?: readonly number[],
): void {
  for (const [index, value] of values.entries()) {
    const step = steps[places?.[index] ?? index];
    if (step !== undefined) step[name] = value ?? undefined;
  }
}
