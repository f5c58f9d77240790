// The state of a run for readers: the same object as `RunState`, under types that nobody can write through.
import type { LedgerView } from '../../budget/ledger.ts';
import type { CountTokens } from '../../context/tokens.ts';
import type { PlanGraphView } from '../../graph/plan-graph.ts';
import type { LoadedValues } from '../record/stored-value.ts';
import type { CallRecord } from './call-record.ts';
import type { Gate, HumanInput, Lineage, Phase, RepairFacts, RunState, Step } from './state.ts';
import type { StepTally } from './step-tally.ts';

type Writable<T, Keys extends keyof T> = Readonly<Omit<T, Keys>>;

export interface StepView extends Writable<Step, 'people' | 'calls' | 'leftCalls' | 'repairs'> {
  readonly people: Readonly<HumanInput> | undefined;
  readonly calls: readonly Readonly<CallRecord>[];
  readonly leftCalls: readonly Readonly<CallRecord>[];
  readonly repairs: Readonly<RepairFacts> | undefined;
}

export interface GateView extends Writable<Gate, 'holds'> {
  readonly holds: ReadonlySet<string>;
}

interface LineageView extends Writable<Lineage, 'repairs'> {
  readonly repairs: readonly string[];
}

type Sets = 'landing' | 'ready' | 'retrying' | 'running' | 'warned' | 'openGates' | 'grants' | 'agreed' | 'reused';
type Maps = 'registered' | 'exhausted' | 'met' | 'occurrences' | 'refused' | 'asking';

/** The element type of a set, the value type of a map with names as keys. */
type ViewOf<T> =
  T extends ReadonlySet<infer Value>
    ? ReadonlySet<Value>
    : T extends ReadonlyMap<string, infer Value>
      ? ReadonlyMap<string, Value>
      : never;

type Collections = { readonly [Key in Sets | Maps]: ViewOf<RunState[Key]> };

/** A live view: the driver of the run goes on writing to the state. */
export interface RunView
  extends Collections,
    Writable<
      RunState,
      | Sets
      | Maps
      | 'steps'
      | 'phases'
      | 'gates'
      | 'lineages'
      | 'graph'
      | 'ledger'
      | 'differed'
      | 'consequences'
      | 'tally'
    > {
  readonly steps: ReadonlyMap<string, StepView>;
  readonly phases: ReadonlyMap<string, Readonly<Phase>>;
  readonly gates: ReadonlyMap<string, GateView>;
  readonly lineages: ReadonlyMap<string, LineageView>;
  readonly graph: PlanGraphView<StepView>;
  readonly ledger: LedgerView;
  readonly tally: Readonly<StepTally>;
  readonly differed: readonly string[];
  readonly consequences: readonly RunState['consequences'][number][];
}

/** A run's state with the values that were loaded for it. */
export interface ReadableRun {
  readonly state: RunView;
  readonly values: LoadedValues;
  /** Absent where nothing is summarized. */
  readonly countTokens?: CountTokens;
}
