// A step's declaration, the same whether an author wrote it in YAML or a planner answered it in JSON.
import type { Json, JsonObject } from '../base/json.ts';
import type { Place } from '../base/place.ts';
import type { Duration } from '../base/quantity.ts';
import type { KeyValues } from './keys/key.ts';
import type { PlanningSpec } from './keys/planning.ts';
import type { commonKeys, DecisionSpec, fanOutKeys, GateSpec, Recovery } from './keys/step.ts';
import type { ApprovalSpec, ConvergenceSpec, RetryPolicy } from './keys/step-parts.ts';

export type { Need } from './keys/needs.ts';
export { defaultReplan, type PlannerSpec, type PlanningSpec, type ReplanSpec } from './keys/planning.ts';
export {
  type GateSpec,
  type Recovery,
  type StepType,
  stepTypes,
} from './keys/step.ts';
export type { ApprovalSpec, ConvergenceSpec, Expiry, RetryPolicy } from './keys/step-parts.ts';

type CommonKeys = KeyValues<typeof commonKeys>;
type FanOutKeys = KeyValues<typeof fanOutKeys>;

/** Keys that are read together with others, or that get their defaults from others. */
type Combined = 'name' | 'handler' | 'onFailure' | 'retry' | 'maxRetries' | 'timeout' | 'approval' | 'convergence';

/** Runs one step for each item of a list, or for each batch of them. `maxWidth` is the most steps it may become. */
export interface FanOutSpec extends Omit<FanOutKeys, 'forEach' | 'maxWidth'> {
  /** A task or a compute step; it may refer to `item`. Its name is the fan-out's own unless it has one. */
  readonly do: StepSpec;
  readonly forEach: Json;
  readonly maxWidth: number;
}

/** Resolved: names bound, quantities read, defaults filled. Plain JSON, so that a run keeps it in its journal. */
export interface StepSpec extends Omit<CommonKeys, Combined> {
  readonly name: string;
  /** Those of `dependencies` that only a reference brought. */
  readonly implied: readonly string[];
  /** The capability that a task calls; a convergence step may call one too. */
  readonly capability?: string;
  /** Fixed settings of the call; `input` is laid over them. */
  readonly initialization?: JsonObject;
  readonly onFailure: Recovery;
  readonly retry: RetryPolicy;
  readonly timeout: Duration;
  readonly planning?: PlanningSpec;
  readonly decision?: DecisionSpec;
  readonly fanOut?: FanOutSpec;
  /** The question of a human_review. */
  readonly gate?: GateSpec;
  /** A person must agree before the capability is called. */
  readonly approval?: ApprovalSpec;
  /** The author wrote `approval: never`: nobody is asked, not even where the capability may destroy something. */
  readonly approved?: true;
  readonly convergence?: ConvergenceSpec;
  readonly place?: Place;
}
