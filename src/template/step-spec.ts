// The declaration of a step, the same for authored steps and for planned steps.
import type { Json, JsonObject } from '../base/json.ts';
import type { Place } from '../base/place.ts';
import type { Duration } from '../base/quantity.ts';
import type { PlanningSpec } from './keys/planning.ts';
import type { CommonKeys, DecisionSpec, FanOutKeys, GateSpec, Recovery } from './keys/step.ts';
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

/** Keys that are read together with other keys, or whose defaults depend on other keys. */
type Combined = 'name' | 'handler' | 'onFailure' | 'retry' | 'maxRetries' | 'timeout' | 'approval' | 'convergence';

/** Runs one step for each item or batch of items of a list. `maxWidth` is the most steps that it may become. */
export interface FanOutSpec extends Omit<FanOutKeys, 'forEach' | 'maxWidth'> {
  /** A task or compute step, which may refer to `item`. Without an own name it has the name of the fan-out. */
  readonly do: StepSpec;
  readonly forEach: Json;
  readonly maxWidth: number;
}

/** A step with bound names, read quantities and defaults. Plain JSON, because the journal of a run keeps it. */
export interface StepSpec extends Omit<CommonKeys, Combined> {
  readonly name: string;
  /** The dependencies that only come from references. */
  readonly implied: readonly string[];
  /** The called capability. */
  readonly capability?: string;
  /** Fixed settings of the call; keys of `input` override them. */
  readonly initialization?: JsonObject;
  readonly onFailure: Recovery;
  readonly retry: RetryPolicy;
  readonly timeout: Duration;
  readonly planning?: PlanningSpec;
  readonly decision?: DecisionSpec;
  readonly fanOut?: FanOutSpec;
  /** The question of a human_review. */
  readonly gate?: GateSpec;
  /** A person must approve the call. */
  readonly approval?: ApprovalSpec;
  /** The author wrote `approval: never`: nobody is asked, even if the capability may destroy something. */
  readonly approved?: true;
  readonly convergence?: ConvergenceSpec;
  readonly place?: Place;
}
