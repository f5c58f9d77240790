// The frame that a fragment is judged against: its place in the graph, its capabilities and its bounds.
import type { Digest } from '../base/digest.ts';
import type { JsonObject } from '../base/json.ts';
import type { Duration } from '../base/quantity.ts';
import type { LimitedResource } from '../budget/amount.ts';
import type { Declaration, Effect } from '../contract/declaration.ts';
import type { EffectsPolicy } from '../contract/effects-policy.ts';
import type { ModelSettings } from '../template/check/models.ts';
import type { Producer } from '../template/scope.ts';
import type { PlannerSpec } from '../template/step-spec.ts';

/**
 * The remaining budget by resource; unlimited resources are absent. A frame has micro-dollars and milliseconds, and a
 * brief has dollars and seconds.
 */
export type RemainingBudget = Readonly<Partial<Record<LimitedResource | 'time', number>>>;

/** Plain data about the run; the checks look nothing up. */
export interface Frame {
  /** Full id of the planning step. */
  readonly planner: string;
  /** The prefix of the grafted steps' ids, such as `plan_recon.1`. */
  readonly prefix: string;
  /** Full id of the convergence target. */
  readonly target: string;
  /** The number of successes that the target needs, and the number of branches outside the plan; absent without a quorum. */
  readonly quorum?: { readonly min: number; readonly beside: number };
  /** The number of planning levels that may nest below this step. */
  readonly depthLeft: number;
  /** Steps outside the fragment that it may refer to, by name and by full id. */
  readonly outside: ReadonlyMap<string, Producer>;
  /** JSON Schema of the run's input. */
  readonly input?: JsonObject;
  /** The granted capabilities, after `allow` and `deny`. */
  readonly declarations: Readonly<Record<string, Declaration>>;
  /** Names that exist in the run but are not granted here. */
  readonly denied?: ReadonlySet<string>;
  /** The run's effects policy; the declarations exclude denied capabilities. */
  readonly effects?: EffectsPolicy;
  /** Capabilities that the policy denies, with the denied effects. */
  readonly ruledOut?: ReadonlyMap<string, readonly Effect[]>;
  /** The models and agents of the template; when absent, agents are not checked. */
  readonly asking?: ModelSettings;
  readonly bounds: FragmentBounds;
  /** The time limit of one attempt of a planned step; absent: none besides the default. */
  readonly stepTimeout?: Duration;
  /** The budget left for this phase. */
  readonly available: RemainingBudget;
  /** For a repair: failed work of this phase that must not be repeated. */
  readonly failed?: FailedWork;
  /** Little budget is left: further planning is refused. */
  readonly converge: boolean;
  /** A fragment may bring its own capabilities, which a person approves. */
  readonly synthesizes?: true;
  /** The goal as written in the template. */
  readonly goal?: string;
  /** The goals of this planning step and those above it, both as written and with references filled in. */
  readonly goals?: readonly string[];
  /** The critic's mode; by default only critical findings refuse a plan. */
  readonly critic?: 'off' | 'strict';
  /** The kind of planner. */
  readonly kind?: PlannerSpec['kind'];
  /** The run pursues a goal without a template of its own. */
  readonly isMission?: true;
  /** The target gathers the plan's final results. */
  readonly gathers?: true;
  /** A person reviews the plan before it is grafted. */
  readonly isReviewed?: true;
  /** A person has approved the plan. */
  readonly isAgreed?: true;
}

export interface FailedWork {
  /** Steps that failed, from plan hash to full id. */
  readonly steps: ReadonlyMap<Digest, string>;
  /** Plan hashes of this phase's steps by full id; a planning step's hash stands for its whole phase. */
  readonly hashes: ReadonlyMap<string, Digest>;
}

export interface FragmentBounds {
  readonly fragmentSteps: number;
  /** The longest dependency chain, in steps. */
  readonly fragmentDepth: number;
  readonly fanOut: number;
}
