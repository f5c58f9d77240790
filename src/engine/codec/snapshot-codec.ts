// A run's state as a snapshot keeps it: what its events have folded into, so that they need not be folded again. A cache, never the truth.

import { type Digest, digestOf } from '../../base/digest.ts';
import { Fault, present } from '../../base/fault.ts';
import type { Account } from '../../budget/ledger.ts';
import { distances, graphFrom } from '../../graph/plan-graph.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Template } from '../../template/template.ts';
import { newStep } from '../new-step.ts';
import { type Gate, newState, RUN_ACCOUNT, type RunState, type Step } from '../state.ts';

/** What a step is like of which nothing is known. */
const blank: Step = Object.freeze(
  newStep({
    id: '',
    spec: {} as StepSpec,
    provenance: undefined,
    refs: undefined,
    target: undefined,
    depthLeft: 0,
    account: RUN_ACCOUNT,
    converges: false,
    item: undefined,
    repairs: undefined,
    since: 0,
  }),
);

/** Tells states apart by the names of what they hold: one of other names was written by another version. */
export const stateShape: Digest = digestOf([Object.keys(newState({} as Template)), Object.keys(blank)]);

/** By its name, what a step holds: a list with a place for each step, or what is the same in all of them; `null`: as in a blank one. */
type Columns = Readonly<Record<string, unknown>>;

interface Saved {
  readonly steps: {
    readonly ids: readonly string[];
    /** Those of plans; the template has the others. */
    readonly specs: readonly StepSpec[];
    /** By step: the place of its declaration, see `declarations`. */
    readonly spec: readonly number[];
    readonly columns: Columns;
    readonly apart: readonly (readonly number[])[];
  };
  readonly gates: readonly (Omit<Gate, 'holds'> & { readonly holds: readonly string[] })[];
  readonly accounts: readonly (Omit<Account, 'parent'> & { readonly parent?: string })[];
  /** Maps and sets as lists. */
  readonly rest: Readonly<Record<string, unknown>>;
}

export function snapshotText(state: RunState): string {
  const { template: _, consequences, steps, graph, gates, ledger, ...rest } = state;
  if (consequences.length > 0) throw new Fault('a snapshot is taken between batches');
  const saved: Saved = {
    steps: {
      ...specsOf(state),
      ids: [...steps.keys()],
      columns: columnsOf([...steps.values()]),
      apart: distances(graph),
    },
    gates: [...gates.values()].map((gate) => ({ ...gate, holds: [...gate.holds] })),
    accounts: [...ledger.accounts.values()].map(({ parent, ...account }) => ({
      ...account,
      ...(parent === undefined ? {} : { parent: parent.id }),
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

function specsOf({ steps, template }: RunState): Pick<Saved['steps'], 'specs' | 'spec'> {
  const specs: StepSpec[] = [];
  const places = new Map(declarations(template, specs).map((spec, place) => [spec, place]));
  const spec = [...steps.values()].map((step) => {
    if (!places.has(step.spec)) {
      specs.push(step.spec);
      places.set(step.spec, places.size);
      if (step.spec.fanOut !== undefined) places.set(step.spec.fanOut.do, places.size);
    }
    return places.get(step.spec) ?? 0;
  });
  return { specs, spec };
}

function columnsOf(steps: readonly Step[]): Columns {
  const named = Object.keys(blank).filter((name) => name !== 'id' && name !== 'spec') as (keyof Step)[];
  const columns = named.map((name) => [name, columnOf(steps, name)] as const);
  return Object.fromEntries(columns.filter(([, column]) => column !== null));
}

function columnOf(steps: readonly Step[], name: keyof Step): unknown {
  const usual = blank[name];
  const first = steps[0]?.[name];
  if (typeof first !== 'object' && steps.every((step) => step[name] === first)) return first === usual ? null : first;
  const column = steps.map((step) => (isAs(usual, step[name]) ? null : step[name]));
  return column.every((value) => value === null) ? null : column;
}

function isAs(usual: unknown, value: unknown): boolean {
  return value === usual || (Array.isArray(usual) && Array.isArray(value) && value.length === 0);
}

/** Of a text that `snapshotText` has written for a state of the same shape and template. */
export function stateFrom(text: string, template: Template): RunState {
  const { steps, gates, accounts, rest } = JSON.parse(text) as Saved;
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
  return { ...state, graph: graphFrom(steps.ids, steps.apart) };
}

function restore(state: RunState, name: keyof RunState, value: unknown): void {
  const field: unknown = state[name];
  if (field instanceof Map) for (const [key, each] of value as [unknown, unknown][]) field.set(key, each);
  else if (field instanceof Set) for (const each of value as unknown[]) field.add(each);
  else Object.assign(state, { [name]: value });
}

function stepsFrom({ ids, specs, spec, columns }: Saved['steps'], template: Template): readonly Step[] {
  const declared = declarations(template, specs);
  const usual = { ...blank, ...Object.fromEntries(Object.entries(columns).filter(([, each]) => !Array.isArray(each))) };
  const steps = ids.map((id, place) => ({ ...usual, id, spec: present(declared[spec[place] ?? -1], 'a declaration') }));
  for (const [name, column] of Object.entries(columns)) if (Array.isArray(column)) fill(steps, name, column);
  return steps;
}

function fill(steps: readonly Step[], name: string, column: readonly unknown[]): void {
  for (let place = 0; place < column.length; place++) {
    const value = column[place];
    if (value !== null) (steps[place] as unknown as Record<string, unknown>)[name] = value;
  }
}
