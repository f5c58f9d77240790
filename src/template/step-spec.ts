// A step's declaration, the same whether an author wrote it in YAML or a planner answered it in JSON.

import type { Json, JsonObject } from '../base/json.ts';
import type { Place } from '../base/place.ts';
import type { Duration } from '../base/quantity.ts';
import type { Limit } from '../budget/amount.ts';
import type { Budget } from '../budget/limits.ts';

/** The one list of step types: schema, reader and engine follow it. */
export const stepTypes = [
  'task',
  'compute',
  'planning',
  'deferred',
  'decision',
  'fan_out',
  'synthesis_gate',
  'human_review',
] as const;

export type StepType = (typeof stepTypes)[number];

/** Lisp source, as it stands in the document, and where it stands there. */
export interface Expression {
  readonly $lisp: string;
  readonly place?: Place;
}

export type Recovery = 'stop' | 'skip' | 'retry' | 'replan';

export interface RetryPolicy {
  /** Counts the first attempt. */
  readonly maxAttempts: number;
  readonly backoff: 'none' | 'linear' | 'exponential' | 'fibonacci';
  /** The first delay. */
  readonly base: Duration;
  /** The longest delay. */
  readonly max: Duration;
  /** 0 to 1: the share of a delay that chance may take off. */
  readonly jitter: number;
}

export interface ConvergenceSpec {
  readonly policy: 'all_success' | 'all_settled' | 'quorum';
  /** For `quorum`: how many feeders, or what percentage of them, must succeed. */
  readonly min?: { readonly count: number } | { readonly percent: number };
  /** Judge as soon as it is decided; what still runs is aborted. */
  readonly early: boolean;
  readonly onExhaustion: 'converge' | 'fail' | 'ask';
}

/** A decision lets some of its branches run; the others end `not_chosen`. */
export interface DecisionSpec {
  /** Names of steps that wait for the decision. */
  readonly branches: readonly string[];
  /** Answers a name, a list of names or nil; absent: the capability's result says `{branches: […]}`. */
  readonly choose?: Expression;
}

export type PlannerSpec =
  | { readonly kind: 'lisp'; readonly source: Expression; readonly repair?: Expression }
  | { readonly kind: 'fixed'; readonly fragment: Json; readonly repair?: Expression }
  | { readonly kind: 'capability'; readonly name: string }
  | { readonly kind: 'llm' | 'pattern' | 'hybrid'; readonly settings: JsonObject };

export interface PlanningSpec {
  /** Absent only in fragments: whoever planned the step then plans for it too. */
  readonly planner?: PlannerSpec;
  readonly goal?: string;
  /** Globs over capability names; empty: all that the template grants. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly constraints: readonly string[];
  /** The step where this phase comes together; absent only in fragments, where it is inherited. */
  readonly target?: string;
  /** How many fragments may be proposed before the step fails. */
  readonly maxAttempts: number;
}

/** Resolved: names bound, quantities read, defaults filled. Plain JSON, so that a run keeps it in its journal. */
export interface StepSpec {
  readonly name: string;
  readonly type: StepType;
  readonly description?: string;
  /** Names in scope or full step ids, the implied ones included, each once. */
  readonly dependencies: readonly string[];
  /** Those of `dependencies` that only a reference brought. */
  readonly implied: readonly string[];
  readonly when?: Expression;
  /** What a task calls; also a convergence step that does work. */
  readonly capability?: string;
  /** Fixed settings of the call; `input` is laid over them. */
  readonly initialization?: JsonObject;
  /** With references: `{{ results.step.path }}` in strings, `{"$lisp": "…"}` for anything computed. */
  readonly input?: Json;
  /** What a compute step evaluates. */
  readonly expr?: Expression;
  /** JSON Schema of the result; absent: the capability's own. */
  readonly output?: JsonObject;
  readonly verification?: Expression;
  readonly onVerificationFailure: Recovery;
  readonly onFailure: Recovery;
  readonly retry: RetryPolicy;
  readonly critical: boolean;
  readonly timeout: Duration;
  /** How often one attempt may be handed to a performer before it is given up as lost. */
  readonly maxDeliveries: number;
  /** Never take over finished work. */
  readonly fresh?: boolean;
  readonly concurrencyKey?: string;
  /** Present when the step has an account of its own. */
  readonly budget?: Budget & { readonly limit: Limit };
  readonly context?: ContextSettings;
  readonly planning?: PlanningSpec;
  readonly decision?: DecisionSpec;
  readonly convergence?: ConvergenceSpec;
  readonly place?: Place;
}

/** How results are shown to a planner, and on a step how its own result is. */
export interface ContextSettings {
  readonly strategy?: 'full' | 'contract' | 'summary' | 'selective' | 'hierarchical';
  readonly maxTokens?: number;
  readonly keep?: readonly string[];
  readonly elide?: readonly string[];
  readonly sample?: number;
}
