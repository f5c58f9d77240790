// A step's declaration, the same whether an author wrote it in YAML or a planner answered it in JSON.

import type { Json, JsonObject } from '../base/json.ts';
import type { Place } from '../base/place.ts';
import type { Duration } from '../base/quantity.ts';
import type { Limit } from '../budget/amount.ts';
import type { Budget } from '../budget/limits.ts';
import type { Effect } from '../contract/declaration.ts';
import type { AgentUse, JudgeSpec } from './keys/agent.ts';
import type { Attachment } from './keys/attachment.ts';
import type { PatternSpec, Strategy } from './keys/pattern.ts';
import type { Expression } from './references.ts';

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

/** Runs one step for each item of a list, or for each batch of them. */
export interface FanOutSpec {
  /** A task or a compute step; it may refer to `item`. Its name is the fan-out's own unless it has one. */
  readonly do: StepSpec;
  /** The list: references or an expression. */
  readonly forEach: Json;
  /** The most steps it may become, which is what it sets aside. */
  readonly maxWidth: number;
  /** The fewest items that one step is given, as a list; absent: each step is given one item, as it is. */
  readonly batchSize?: number;
  readonly failureStrategy: 'continue_on_failure' | 'fail_fast';
}

/** What happens when nobody has answered in time. */
export type Expiry = 'approve' | 'reject' | 'fail' | 'converge';

/** What a person is asked, and until when. */
export interface GateSpec {
  /** With references. */
  readonly prompt: string;
  /** JSON Schema of the answer; absent: `defaultDecision`. */
  readonly decision?: JsonObject;
  readonly expiresIn?: Duration;
  readonly onExpiry: Expiry;
}

/** What a review is answered with unless it says otherwise; whoever reads its notes finds a text, also when none was said. */
export const defaultDecision: JsonObject = {
  type: 'object',
  required: ['approved', 'notes'],
  properties: { approved: { type: 'boolean' }, notes: { type: 'string', default: '' } },
};

/** Whether a person must agree to a call before it is made. */
export interface ApprovalSpec extends Omit<GateSpec, 'prompt'> {
  /** With references; absent: which step wants to call what. */
  readonly prompt?: string;
  /** Absent: always. */
  readonly when?: Expression;
}

export interface ReplanSpec {
  /** How often the whole phase may be planned again; absent: once, and for rule planners not at all. */
  readonly max?: number;
  /** What a repair takes the place of: what hangs on the failed step, or all of the phase that has not begun. */
  readonly scope: 'tail' | 'phase';
  /** Whether a person must agree to a repair; `on_budget`: when little is left of the budget. */
  readonly approval: 'never' | 'on_budget' | 'always';
  /** After the last repair. */
  readonly afterLast: 'fail' | 'ask';
  /** How many repairs of repairs one failure may bring. */
  readonly maxAttempts: number;
  /** Between two repairs of a phase. */
  readonly cooldown: Duration;
}

export type PlannerSpec =
  | { readonly kind: 'lisp'; readonly source: Expression; readonly repair?: Expression }
  /** `model`: name of a profile that is asked to mend the plan, where no rule does. */
  | { readonly kind: 'fixed'; readonly fragment: Json; readonly repair?: Expression; readonly model?: string }
  | { readonly kind: 'capability'; readonly name: string }
  /** `model`: name of a profile; absent: `default`, or the only one there is. `strategy`: absent, `direct`. */
  | { readonly kind: 'llm'; readonly model?: string; readonly strategy?: Exclude<Strategy, 'pattern'> }
  | ({ readonly kind: 'pattern' } & PatternSpec)
  /** `model`: who plans where the words of the goal do not suffice. `strategies`: absent, `pattern` and `direct`. */
  | ({ readonly kind: 'hybrid'; readonly model?: string; readonly strategies?: readonly Strategy[] } & PatternSpec);

/** What a planner must see: results of the steps that it names, or parts of them. */
export interface Need {
  /** A step's id or name, or a glob over both. */
  readonly step: string;
  /** Where in the result: `files.0.name`; `*` stands for every item. Absent: all of it. */
  readonly path?: string;
  /** The name under which it is shown; absent: as it was asked for. */
  readonly as?: string;
  /** Never shrunk. */
  readonly full?: true;
}

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
  /** Shown whatever the strategy; absent: nothing is asked for. */
  readonly needs?: readonly Need[];
  /** How many fragments may be proposed before the step fails. */
  readonly maxAttempts: number;
  /** Whether the run fails when no plan comes of the step; absent: as the planning step that brought it says, else `fail`. */
  readonly onPlanningFailure?: 'fail' | 'tolerate';
  /** Absent: as `defaultReplan` says. */
  readonly replan?: ReplanSpec;
  /** Whether a person reviews the plan before it is grafted; absent: never. */
  readonly review?: 'always' | { readonly when: Expression };
}

export const defaultReplan: ReplanSpec = {
  scope: 'tail',
  approval: 'never',
  afterLast: 'fail',
  maxAttempts: 3,
  cooldown: 1_000,
};

/** How many questions a step may ask unless it says otherwise. */
export const CLARIFICATIONS = 3;

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
  /** Who does a task that calls no capability; also of a synthesis gate and of a convergence step that does work. */
  readonly agent?: AgentUse;
  /** Whether a model looks at the result; absent: none does. */
  readonly judge?: JudgeSpec;
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
  /** What it is about, by reference; with references. */
  readonly attachments?: readonly Attachment[];
  readonly concurrencyKey?: string;
  /** Present when the step has an account of its own. */
  readonly budget?: Budget & { readonly limit: Limit };
  readonly context?: ContextSettings;
  readonly planning?: PlanningSpec;
  readonly decision?: DecisionSpec;
  readonly fanOut?: FanOutSpec;
  /** What a human_review asks. */
  readonly gate?: GateSpec;
  /** The only effects of what it calls or plans, beside what policies say; absent: any. */
  readonly effects?: readonly Effect[];
  /** A person must agree before the capability is called. */
  readonly approval?: ApprovalSpec;
  /** Its author says `approval: never`: nobody is asked, also where the capability may destroy something. */
  readonly approved?: true;
  /** How many questions the step may ask; absent: `CLARIFICATIONS`. */
  readonly maxClarifications?: number;
  readonly convergence?: ConvergenceSpec;
  readonly place?: Place;
}

/** How results are shown to a planner, and on a step how its own result is. */
export interface ContextSettings {
  readonly strategy?: 'full' | 'contract' | 'summary' | 'selective' | 'hierarchical';
  /** Which model sums up, where `strategy` is `summary`; absent: `default`, or the only one there is. */
  readonly model?: string;
  readonly maxTokens?: number;
  readonly keep?: readonly string[];
  readonly elide?: readonly string[];
  readonly sample?: number;
}
