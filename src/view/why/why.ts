// Why a step is there and what became of it: from the goal over each planning step's fragment down to its attempts and its end.

import { counted } from '../../base/counted.ts';
import type { Digest } from '../../base/digest.ts';
import type { Failure } from '../../base/failure.ts';
import type { Issue } from '../../base/issue.ts';
import { defined } from '../../base/json.ts';
import type { Instant } from '../../base/quantity.ts';
import type { Amount } from '../../budget/amount.ts';
import type { Convergence } from '../../engine/record/convergence.schema.ts';
import type { Recorded } from '../../engine/record/event.schema.ts';
import type { Kept } from '../../engine/record/event-parts.schema.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import { type Step, stepOf } from '../../engine/state/state.ts';
import type { Intent, Intents } from '../../goals/intent.ts';
import { predecessors, successors } from '../../graph/plan-graph.ts';
import type { StepType } from '../../template/step-spec.ts';
import { type CallHistory, type HandedOrder, historyOf } from '../history.ts';
import { intentOf } from '../outcomes.ts';
import { countsText, standingText, statusText } from '../status.ts';
import { type TakenUp, takenUpOf } from '../taken-up.ts';
import { goalTold } from './goal-told.ts';
import { gatesOf, type WhyGate } from './why-gate.ts';
import { type RepairTold, repairTold } from './why-repair.ts';

/** One planting: a planning step and the fragment it brought. */
export interface Origin {
  readonly planner: string;
  /** As its planner was told it where that is on record, else as it was written. */
  readonly goal?: string;
  readonly rationale: string;
  readonly fragment: string;
  readonly target: string;
  readonly depth: number;
  /** For a plan that repairs another. */
  readonly repair?: RepairTold;
  /** Who took the goal apart. */
  readonly strategy?: string;
  readonly order?: string;
  readonly tried?: Intents['tried'];
  /** What of the goal the step, or the phase that it is in, is for; and how who does it was found. */
  readonly intent?: Intent;
}

interface WhyDependency {
  readonly step: string;
  readonly status: string;
  /** Only a reference to its result brought it. */
  readonly implied: boolean;
}

export interface WhyAttempt {
  readonly attempt: number;
  readonly delivery: number;
  /** The run that it has started. */
  readonly child?: string;
  readonly startedAt: Instant;
  readonly endedAt?: Instant;
  readonly end?: string;
  readonly failure?: Failure;
  readonly diagnosis?: string;
  readonly issues?: readonly Issue[];
  /** What it asked of models, of tools, and of the run's results, in order. */
  readonly calls: readonly CallHistory[];
  readonly bill?: Amount;
  /** Of the bill, what is charged without being known. */
  readonly assumed?: Amount;
}

export interface Why {
  readonly run: string;
  readonly template: string;
  /** What the whole run is for. */
  readonly purpose?: string;
  readonly step: string;
  readonly type: StepType;
  readonly description?: string;
  readonly capability?: string;
  /** Who does it, where that is an agent. */
  readonly agent?: string;
  readonly status: string;
  /** From the authored planning step inwards; empty for an authored step. */
  readonly origins: readonly Origin[];
  /** For a step of a fan-out: its place in it, and how large what it is given is. */
  readonly item?: { readonly of: string; readonly index: number; readonly size: string };
  /** For a repair. */
  readonly repair?: RepairTold;
  readonly supersededBy?: string;
  readonly dependencies: readonly WhyDependency[];
  /** Names in its references, and the steps they mean. */
  readonly references: Readonly<Record<string, string>>;
  readonly neededBy: readonly string[];
  readonly attempts: readonly WhyAttempt[];
  /** What people were asked about it. */
  readonly gates: readonly WhyGate[];
  /** What operators did to it by hand. */
  readonly orders: readonly HandedOrder[];
  /** Whose finished work it took over, since that did the same: the same call of the same contract on this input. */
  readonly adopted?: { readonly from: string; readonly run?: string; readonly input: Digest };
  readonly failure?: Failure;
  readonly takenUp?: TakenUp;
  readonly root?: { readonly step: string; readonly status: string; readonly failure?: Failure };
  readonly verified: boolean;
  readonly coerced: readonly string[];
  /** What its review found in the fragment that it brought, without rejecting it. */
  readonly warnings: readonly Issue[];
  /** What the critic thinks of that fragment, from 1 to 10. */
  readonly score?: number;
  /** What had to be understood of how that was written. */
  readonly understood: readonly string[];
  /** Ids; of a fan-out its items. */
  readonly grew?: readonly string[];
  /** Of a planning step: the reason that its planner gave for the plan, also for an empty one. */
  readonly rationale?: string;
  /** Of a fan-out: `9 completed, 2 failed`. */
  readonly items?: string;
  readonly convergence?: Convergence & { readonly satisfied: boolean };
}

export function why(state: RunView, events: readonly Recorded[], id: string): Why {
  const step = stepOf(state, id);
  const { spec, failure, convergence } = step;
  const { template } = state;
  const past = historyOf(events).get(id);
  const takenUp = takenUpOf(state, step);
  const phase = state.phases.get(id);
  const grew = step.expanded ?? phase?.steps;
  return {
    run: state.id,
    template: template.name,
    ...defined({ purpose: template.description }),
    step: id,
    type: spec.type,
    ...defined({
      description: spec.description,
      capability: spec.capability,
      agent: spec.agent === undefined ? undefined : spec.agent.name,
    }),
    status: standingText(state, step),
    origins: originsOf(state, step),
    ...placeOf(state, step),
    dependencies: dependenciesOf(state, step),
    references: step.refs ?? {},
    neededBy: successors(state.graph, id),
    attempts: (past?.attempts ?? []).map((attempt) => ({ ...attempt })),
    gates: gatesOf(state, events, id),
    orders: past?.orders ?? [],
    ...defined({ adopted: past?.adopted === undefined ? undefined : past.adopted, failure, takenUp }),
    ...rootOf(state, step),
    verified: past?.verified ?? false,
    coerced: past?.coerced ?? [],
    warnings: past?.warnings ?? [],
    ...defined({ score: past?.score === undefined ? undefined : past.score }),
    understood: past?.understood ?? [],
    ...defined({ grew }),
    ...(phase === undefined || phase.rationale === '' ? {} : { rationale: phase.rationale }),
    ...(step.expanded === undefined
      ? {}
      : { items: countsText(step.expanded.map((each) => stepOf(state, each).status)) }),
    ...(convergence === undefined
      ? {}
      : { convergence: { ...convergence.convergence, satisfied: convergence.satisfied } }),
  };
}

function originsOf(state: RunView, step: Step): readonly Origin[] {
  if (step.provenance === undefined) return [];
  const { planner: id, fragment, depth } = step.provenance;
  const planner = stepOf(state, id);
  const phase = state.phases.get(id);
  const goal = phase?.intents?.goal ?? goalTold(state, planner);
  const intent = intentOf(state, step);
  const { strategy, order, tried } = phase?.intents ?? {};
  const repair = repairTold(state, planner);
  const origin: Origin = {
    planner: id,
    ...defined({ goal }),
    rationale: phase?.rationale ?? '',
    fragment,
    target: phase?.target ?? '',
    depth,
    ...defined({ repair, strategy, order, tried, intent }),
  };
  return [...originsOf(state, planner), origin];
}

function placeOf(state: RunView, step: Step): Pick<Why, 'item' | 'repair' | 'supersededBy'> {
  const { id, item, status, root } = step;
  const repair = repairTold(state, step);
  return {
    ...(item === undefined
      ? {}
      : { item: { of: item.of, index: Number(id.slice(item.of.length + 1)), size: sizeText(item.value) } }),
    ...defined({ repair, supersededBy: status !== 'superseded' || root === undefined ? undefined : root }),
  };
}

/** Never the value itself. */
function sizeText(kept: Kept): string {
  if (!('value' in kept)) return `${counted(kept.bytes, 'character')} of JSON`;
  const { value } = kept;
  return Array.isArray(value)
    ? `a list of ${value.length}`
    : `${counted(JSON.stringify(value).length, 'character')} of JSON`;
}

/** What the graph says it waits for, which includes what was grafted before it; the items of a fan-out are its own. */
function dependenciesOf(state: RunView, { id, spec, refs, expanded }: Step): readonly WhyDependency[] {
  const implied = new Set(spec.implied.map((name) => refs?.[name] ?? name));
  const own = new Set(expanded);
  return predecessors(state.graph, id)
    .filter((step) => !own.has(step))
    .map((step) => ({ step, status: statusText(stepOf(state, step)), implied: implied.has(step) }));
}

function rootOf(state: RunView, step: Step): Pick<Why, 'root'> {
  if (step.root === undefined || step.root === step.id) return {};
  const root = stepOf(state, step.root);
  return {
    root: {
      step: root.id,
      status: statusText(root),
      ...defined({ failure: root.failure }),
    },
  };
}
