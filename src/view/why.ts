// Why a step is there and what became of it: from the goal over each planning step's fragment down to its attempts and its end.
import type { Failure } from '../base/failure.ts';
import type { Issue } from '../base/issue.ts';
import type { Instant } from '../base/quantity.ts';
import type { Amount } from '../budget/amount.ts';
import type { Convergence } from '../engine/convergence.ts';
import { type RunState, type Step, stepOf } from '../engine/state.ts';
import { predecessors, successors } from '../graph/plan-graph.ts';
import type { StepType } from '../template/step-spec.ts';
import type { History } from './history.ts';
import { statusText } from './status.ts';

/** One planting: a planning step and the fragment it brought. */
export interface Origin {
  readonly planner: string;
  /** As the template or the fragment states it, references unresolved. */
  readonly goal?: string;
  readonly rationale: string;
  readonly fragment: string;
  readonly target: string;
  readonly depth: number;
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
  readonly startedAt: Instant;
  readonly endedAt?: Instant;
  readonly end?: string;
  readonly failure?: Failure;
  readonly diagnosis?: string;
  readonly issues?: readonly Issue[];
  readonly bill?: Amount;
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
  readonly status: string;
  /** From the authored planning step inwards; empty for an authored step. */
  readonly origins: readonly Origin[];
  readonly dependencies: readonly WhyDependency[];
  /** Names in its references, and the steps they mean. */
  readonly references: Readonly<Record<string, string>>;
  readonly neededBy: readonly string[];
  readonly attempts: readonly WhyAttempt[];
  readonly failure?: Failure;
  readonly root?: { readonly step: string; readonly status: string; readonly failure?: Failure };
  readonly verified: boolean;
  readonly coerced: readonly string[];
  /** What its review found in the fragment that it brought, without rejecting it. */
  readonly warnings: readonly Issue[];
  readonly grew?: readonly string[];
  readonly convergence?: Convergence & { readonly satisfied: boolean };
}

export function why(state: RunState, history: History, id: string): Why {
  const step = stepOf(state, id);
  const { spec, failure, convergence } = step;
  const { template } = state;
  const past = history.get(id);
  const grew = state.phases.get(id)?.steps;
  return {
    run: state.id,
    template: template.name,
    ...(template.description === undefined ? {} : { purpose: template.description }),
    step: id,
    type: spec.type,
    ...(spec.description === undefined ? {} : { description: spec.description }),
    ...(spec.capability === undefined ? {} : { capability: spec.capability }),
    status: statusText(step),
    origins: originsOf(state, step),
    dependencies: dependenciesOf(state, step),
    references: step.refs ?? {},
    neededBy: successors(state.graph, id),
    attempts: (past?.attempts ?? []).map((attempt) => ({ ...attempt })),
    ...(failure === undefined ? {} : { failure }),
    ...rootOf(state, step),
    verified: past?.verified ?? false,
    coerced: past?.coerced ?? [],
    warnings: past?.warnings ?? [],
    ...(grew === undefined ? {} : { grew }),
    ...(convergence === undefined
      ? {}
      : { convergence: { ...convergence.convergence, satisfied: convergence.satisfied } }),
  };
}

function originsOf(state: RunState, step: Step): readonly Origin[] {
  if (step.provenance === undefined) return [];
  const { planner: id, fragment, depth } = step.provenance;
  const planner = stepOf(state, id);
  const goal = planner.spec.planning?.goal;
  const phase = state.phases.get(id);
  const origin: Origin = {
    planner: id,
    ...(goal === undefined ? {} : { goal }),
    rationale: phase?.rationale ?? '',
    fragment,
    target: phase?.target ?? '',
    depth,
  };
  return [...originsOf(state, planner), origin];
}

/** What the graph says it waits for, which includes what was grafted before it. */
function dependenciesOf(state: RunState, { id, spec, refs }: Step): readonly WhyDependency[] {
  const implied = new Set(spec.implied.map((name) => refs?.[name] ?? name));
  return predecessors(state.graph, id).map((step) => ({
    step,
    status: statusText(stepOf(state, step)),
    implied: implied.has(step),
  }));
}

function rootOf(state: RunState, step: Step): Pick<Why, 'root'> {
  if (step.root === undefined || step.root === step.id) return {};
  const root = stepOf(state, step.root);
  return {
    root: {
      step: root.id,
      status: statusText(root),
      ...(root.failure === undefined ? {} : { failure: root.failure }),
    },
  };
}
