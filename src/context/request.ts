// What a packet is made from: the problem, and what each step before the planning step left behind.
import type { Digest } from '../base/digest.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Need } from '../template/step-spec.ts';
import type { CountTokens } from './tokens.ts';

export interface PacketRequest {
  readonly strategy: 'full' | 'contract' | 'summary' | 'selective' | 'hierarchical';
  /** The whole packet's allowance. */
  readonly maxTokens: number;
  readonly countTokens: CountTokens;
  readonly problem: Problem;
  /** What was wrong with the proposal before. */
  readonly feedback?: Json;
  /** What people have answered. */
  readonly clarifications?: readonly Json[];
  readonly budget: Json;
  /** Where the phase comes together. */
  readonly target: Json;
  /** For strategy `summary`: what a model has written of the results, or why there is none; absent: none is wanted. */
  readonly summary?: { readonly text: string } | { readonly text?: undefined; readonly why: string };
  /** Nearest first. */
  readonly phases: readonly PhaseRecord[];
  /** What the planning step declares that it must see: shown within the allowance. */
  readonly needs?: readonly Need[];
  /** What its planner asked for in a reply: shown beside the allowance, within a cap of its own. */
  readonly asked?: readonly Need[];
  /** Steps further back that the needs name by full id. */
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
  /** The planning step that brought it. */
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
  /** Absent: the step left no value. */
  readonly result?: Json;
  /** Of the blob that holds the result; absent: it stands in the step's own event. */
  readonly digest?: Digest;
  /** Of that blob. */
  readonly bytes?: number;
  /** JSON Schema of the result; absent: the shape is inferred from the value. */
  readonly schema?: JsonObject;
  readonly failure?: { readonly code: string; readonly message: string; readonly rootCause?: string };
  /** Attempts that failed before the one that counts. */
  readonly tries?: readonly { readonly attempt: number; readonly code: string; readonly message: string }[];
  /** Names of fields, at any depth, that are shown whole while there is room. */
  readonly keep?: readonly string[];
  /** Names of fields, at any depth, that are named and never shown. */
  readonly elide?: readonly string[];
  /** How many items of a list are shown at most where the contract does not say. */
  readonly sample?: number;
}
