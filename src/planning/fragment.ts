// The fragment: a proposed piece of graph, as a planner's reply brings it.
import type { Digest } from '../base/digest.ts';
import type { Issue } from '../base/issue.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Declaration } from '../contract/declaration.ts';
import type { Intents } from '../goals/intent.ts';
import type { Need, StepSpec } from '../template/step-spec.ts';
import type { ReplyPaths } from './read/reply-paths.ts';

export interface Fragment {
  /** The planner's reason for this plan; empty when it gave none. */
  readonly rationale: string;
  readonly steps: readonly StepSpec[];
  /** The convergence target that the planner named. */
  readonly target?: string;
  /** Results that the planner must see before its plan counts. */
  readonly needs: readonly Need[];
  /** The plan's own capabilities. */
  readonly capabilities?: readonly Declaration[];
  /** The digest of the steps; two spellings of one plan have the same digest. */
  readonly digest: Digest;
  /** The parts of the goal, when the planner reports them. */
  readonly intents?: Intents;
  /** Notes on normalized names, keys and wrappings. */
  readonly understood: readonly string[];
  /** The normalized plan; reading it again gives the same digest. */
  readonly raw: JsonObject;
  /** The places of its parts in the reply. */
  readonly places: ReplyPaths;
  /** The plan came in phases, so steps may wait for others without using their results. */
  readonly phased?: true;
}

/** A planner's honest answer that the goal cannot be reached. */
interface Impossible {
  readonly impossible: string;
}

/** A question that must be answered before planning, as the planner wrote it. */
interface PlannerQuestion {
  readonly asks: Json;
}

/** A planner replies with a plan, a question, or the reason why no plan is possible. */
export type PlannerReply = Fragment | Impossible | PlannerQuestion;

/** A reply with parts that cannot be read. */
export interface UnreadFragment {
  readonly issues: readonly Issue[];
  /** The plan without the unreadable parts, so that a review can judge the others; absent when no plan was found. */
  readonly rest?: Fragment;
}
