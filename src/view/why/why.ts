// Explains a step: the goals and plans that led to it, its attempts, and its end.
import { counted } from '../../base/counted.ts';
import type { Digest } from '../../base/digest.ts';
import type { Failure } from '../../base/failure.ts';
import type { Issue } from '../../base/issue.ts';
import { defined } from '../../base/json.ts';
import type { Instant } from '../../base/quantity.ts';
import type { Amount } from '../../budget/amount.ts';
import type { Convergence } from '../../engine/record/convergence.schema.ts';
import type { Recorded } from '../../engine/record/event.schema.ts';
import type { StoredValue } from '../../engine/record/event-parts.schema.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import { type Step, stepOf } from '../../engine/state/state.ts';
import type { Intent, Intents } from '../../goals/intent.ts';
import { predecessors, successors } from '../../graph/plan-graph.ts';
import type { StepType } from '../../template/step-spec.ts';
import { type CallHistory, historyOf, type StepOrder } from '../history.ts';
import { type RepairOutcome, repairOutcomeOf } from '../repair-outcome.ts';
import { countsText, standingText, statusText } from '../status.ts';
import { intentOf } from '../step-intent.ts';
import { goalText } from './goal-text.ts';
import { gatesOf, type WhyGate } from './why-gate.ts';
import { type RepairExplanation, repairBriefOf } from './why-repair.ts';

/** A planning step, and the fragment that it planned. */
export interface Origin {
  readonly planner: string;
  /** The goal as the planner read it, if that is recorded; else as written. */
  readonly goal?: string;
  readonly rationale: string;
  readonly fragment: string;
  readonly target: string;
  readonly depth: number;
  /** Present if the plan is a repair. */
  readonly repair?: RepairExplanation;
  /** The strategy that split the goal. */
  readonly strategy?: string;
  readonly order?: string;
  readonly tried?: NonNullable<Intents['tried']>;
  /** The part of the goal that the step serves, and how its capability was chosen. */
  readonly intent?: Intent;
}

interface WhyDependency {
  readonly step: string;
  readonly status: string;
  /** The dependency exists only because the step refers to its result. */
  readonly implied: boolean;
}

export interface WhyAttempt {
  readonly attempt: number;
  readonly delivery: number;
  /** The child run. */
  readonly child?: string;
  readonly startedAt: Instant;
  readonly endedAt?: Instant;
  readonly end?: string;
  readonly failure?: Failure;
  readonly diagnosis?: string;
  readonly issues?: readonly Issue[];
  /** The calls of the attempt, in order. */
  readonly calls: readonly CallHistory[];
  readonly bill?: Amount;
  /** The part of the bill that is only assumed. */
  readonly assumed?: Amount;
}

export interface Why {
  readonly run: string;
  readonly template: string;
  /** The purpose of the run. */
  readonly purpose?: string;
  readonly step: string;
  readonly type: StepType;
  readonly description?: string;
  readonly capability?: string;
  /** The agent that does the work. */
  readonly agent?: string;
  readonly status: string;
  /** From the authored planning step inward; empty for an authored step. */
  readonly origins: readonly Origin[];
  /** For an item of a fan-out: its index and the size of its input. */
  readonly item?: { readonly of: string; readonly index: number; readonly size: string };
  /** Present for a repair step. */
  readonly repair?: RepairExplanation;
  readonly supersededBy?: string;
  readonly dependencies: readonly WhyDependency[];
  /** The names in its references, with the steps that they mean. */
  readonly references: Readonly<Record<string, string>>;
  readonly neededBy: readonly string[];
  readonly attempts: readonly WhyAttempt[];
  /** The gates of the step. */
  readonly gates: readonly WhyGate[];
  /** The orders of operators about the step. */
  readonly orders: readonly StepOrder[];
  /** The step whose result was adopted: an equal call with an equal contract on this input. */
  readonly adopted?: { readonly from: string; readonly run?: string; readonly input: Digest };
  readonly failure?: Failure;
  readonly takenUp?: RepairOutcome;
  readonly root?: { readonly step: string; readonly status: string; readonly failure?: Failure };
  readonly verified: boolean;
  readonly coerced: readonly string[];
  /** The warnings of the review of its fragment. */
  readonly warnings: readonly Issue[];
  /** The critic's score of the fragment, from 1 to 10. */
  readonly score?: number;
  /** The spellings of the fragment that were understood as something else. */
  readonly understood: readonly string[];
  /** The ids of the planned steps, or of a fan-out's items. */
  readonly grew?: readonly string[];
  /** The planner's reason for its plan, also for an empty plan. */
  readonly rationale?: string;
  /** The items of a fan-out: `9 completed, 2 failed`. */
  readonly items?: string;
  readonly convergence?: Convergence & { readonly satisfied: boolean };
}

export function why(state: RunView, events: readonly Recorded[], id: string): Why {
  const step = stepOf(state, id);
  const { spec, failure, convergence } = step;
  const { template } = state;
  const past = historyOf(events).get(id);
  const takenUp = repairOutcomeOf(state, step);
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
      agent: spec.agent?.name,
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
    ...defined({ adopted: past?.adopted, failure, takenUp }),
    ...rootOf(state, step),
    verified: past?.verified ?? false,
    coerced: past?.coerced ?? [],
    warnings: past?.warnings ?? [],
    ...defined({ score: past?.score }),
    understood: past?.understood ?? [],
    ...defined({ grew, rationale: phase?.rationale === '' ? undefined : phase?.rationale }),
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
  const goal = phase?.intents?.goal ?? goalText(state, planner);
  const intent = intentOf(state, step);
  const { strategy, order, tried } = phase?.intents ?? {};
  const repair = repairBriefOf(state, planner);
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
  const repair = repairBriefOf(state, step);
  return {
    ...(item === undefined
      ? {}
      : { item: { of: item.of, index: Number(id.slice(item.of.length + 1)), size: sizeText(item.value) } }),
    ...defined({ repair, supersededBy: status !== 'superseded' || root === undefined ? undefined : root }),
  };
}

/** The size of a value. The value itself is never shown. */
function sizeText(kept: StoredValue): string {
  if (!('value' in kept)) return `${counted(kept.bytes, 'character')} of JSON`;
  const { value } = kept;
  return Array.isArray(value)
    ? `a list of ${value.length}`
    : `${counted(JSON.stringify(value).length, 'character')} of JSON`;
}

/** The dependencies in the graph, with grafted ones, without a fan-out's own items. */
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
