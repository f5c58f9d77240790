// The frame a fragment is judged against: where it would be grafted, what it may use and how large it may be.
import type { Digest } from '../base/digest.ts';
import type { JsonObject } from '../base/json.ts';
import type { Limited } from '../budget/amount.ts';
import type { Declaration, Effect } from '../contract/declaration.ts';
import type { EffectsPolicy } from '../contract/effects-policy.ts';
import type { Asking } from '../template/check/models.ts';
import type { Producer } from '../template/scope.ts';
import type { PlannerSpec } from '../template/step-spec.ts';

/**
 * What is left, by resource; what is not limited is absent. In a frame cost is in micro-dollars and time in
 * milliseconds; in a brief they are in dollars and seconds.
 */
export type Left = Readonly<Partial<Record<Limited | 'time', number>>>;

/** Given by whoever knows the run; nothing here is looked up. */
export interface Frame {
  /** Full id of the planning step. */
  readonly planner: string;
  /** What the ids of the grafted steps begin with: `plan_recon.1`. */
  readonly prefix: string;
  /** Full id of the step where the phase comes together. */
  readonly target: string;
  /** The target wants this many successes, and so many branches beside the plan may bring one; absent: any number will do. */
  readonly quorum?: { readonly min: number; readonly beside: number };
  /** How many planning steps may still nest in each other below this one. */
  readonly depthLeft: number;
  /** What the fragment may refer to beside its own steps, by name and by full id. */
  readonly outside: ReadonlyMap<string, Producer>;
  /** JSON Schema of the run's input. */
  readonly input?: JsonObject;
  /** What is granted here, `allow` and `deny` applied. */
  readonly declarations: Readonly<Record<string, Declaration>>;
  /** Names that exist in the run but are not granted here. */
  readonly denied?: ReadonlySet<string>;
  /** Of the run; what it denies is not among the declarations. */
  readonly effects?: EffectsPolicy;
  /** What the policy denies, by name, and for which effects. */
  readonly ruledOut?: ReadonlyMap<string, readonly Effect[]>;
  /** The models and agents of the template, for those whom its steps name; absent: nobody looks. */
  readonly asking?: Asking;
  readonly bounds: FragmentBounds;
  /** What is left for this phase. */
  readonly available: Left;
  /** For a repair: what has failed in this phase and may not come again. */
  readonly failed?: FailedWork;
  /** Little is left of the budget: finish, and plan no further. */
  readonly converge: boolean;
  /** A fragment may bring capabilities of its own, to which a person then agrees. */
  readonly synthesizes?: true;
  /** What the plan is for, as it was written. */
  readonly goal?: string;
  /** What this planning step and those above it are for, as written and as their planners were told it. */
  readonly goals?: readonly string[];
  /** How the plan is criticised; absent: what is critical is held against it. */
  readonly critic?: 'off' | 'strict';
  /** Who thinks of the plan. */
  readonly kind?: PlannerSpec['kind'];
  /** The target takes together what the plan ends with. */
  readonly gathers?: true;
  /** A person sees the plan before it is grafted. */
  readonly isReviewed?: true;
  /** A person has seen the plan, and agreed to it. */
  readonly isAgreed?: true;
}

export interface FailedWork {
  /** Steps that failed, from plan hash to full id. */
  readonly steps: ReadonlyMap<Digest, string>;
  /** Plan hashes of the steps of this phase, by full id; a planning step of it stands for all of them. */
  readonly hashes: ReadonlyMap<string, Digest>;
}

export interface FragmentBounds {
  readonly fragmentSteps: number;
  /** The longest dependency chain, in steps. */
  readonly fragmentDepth: number;
  readonly fanOut: number;
}
