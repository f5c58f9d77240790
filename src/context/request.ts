// The input of a packet: the problem, and a record of each step before the planning step.
import type { Digest } from '../base/digest.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Need } from '../template/step-spec.ts';
import type { CountTokens } from './tokens.ts';

export interface PacketRequest {
  readonly strategy: 'full' | 'contract' | 'summary' | 'selective' | 'hierarchical';
  /** The allowance of the whole packet. */
  readonly maxTokens: number;
  readonly countTokens: CountTokens;
  readonly problem: Problem;
  /** The issues of the proposal before. */
  readonly feedback?: Json;
  /** Answers of people to the planner's questions. */
  readonly clarifications?: readonly Json[];
  readonly budget: Json;
  /** The convergence target of the phase. */
  readonly target: Json;
  /** For strategy `summary`: a model's summary of the results, or the reason why it is missing; absent for other strategies. */
  readonly summary?: { readonly text: string } | { readonly text?: undefined; readonly why: string };
  /** Nearest first. */
  readonly phases: readonly PhaseRecord[];
  /** Needs that the planning step declares; they share the allowance. */
  readonly needs?: readonly Need[];
  /** Needs that the planner's reply requested; they have a cap of their own. */
  readonly asked?: readonly Need[];
  /** Steps of earlier phases that needs name by full id. */
  readonly named?: readonly StepRecord[];
}

interface Problem {
  readonly template: string;
  readonly description?: string;
  readonly goal?: string;
  readonly input: Json;
  readonly constraints: readonly string[];
}

export interface PhaseRecord {
  /** The planning step that the phase grew from. */
  readonly id: string;
  readonly rationale?: string;
  readonly steps: readonly StepRecord[];
}

export interface StepRecord {
  /** Full id. */
  readonly id: string;
  readonly name: string;
  readonly attempt: number;
  readonly capability?: string;
  readonly status: string;
  /** Absent when the step left no value. */
  readonly result?: Json;
  /** The digest of the blob that holds the result; absent when the step's own event holds it. */
  readonly digest?: Digest;
  /** The size of that blob. */
  readonly bytes?: number;
  /** JSON Schema of the result; when absent, the shape is inferred from the value. */
  readonly schema?: JsonObject;
  readonly failure?: { readonly code: string; readonly message: string; readonly rootCause?: string };
  /** Failed attempts before the last one. */
  readonly tries?: readonly { readonly attempt: number; readonly code: string; readonly message: string }[];
  /** Names of fields, at any depth, that are shown whole while room lasts. */
  readonly keep?: readonly string[];
  /** Names of fields, at any depth, with values that are never shown. */
  readonly elide?: readonly string[];
  /** The most items of a list that are shown; the contract's `x-sample` wins. */
  readonly sample?: number;
}
