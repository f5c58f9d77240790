// The tasks of a decomposed goal, each with its kind, order and parameters.
import type { JsonObject } from '../../base/json.ts';
import type { Attachment } from '../../template/keys/attachment.ts';

/** `tool_call`, `processing`, `clarification`, or a kind from the settings. */
export type TaskKind = string;

export interface Task {
  /** The goal's own words, without connectors. */
  readonly description: string;
  readonly kind: TaskKind;
  /** For a task over an earlier list, the order for one item: "get the order" for "get each order". */
  readonly item?: string;
  /** Words that select some items of that list: `CSV` in "profile each CSV file". */
  readonly only?: string;
  /** The indices of the tasks that it waits for. */
  readonly after: readonly number[];
  /** The capabilities that it names. */
  readonly names: readonly string[];
  readonly parameters: TaskValues;
  readonly attachments: readonly Attachment[];
  /** The name of its step; by default made from its words. */
  readonly name?: string;
  /** The input from the decomposition; may hold references to results. */
  readonly input?: JsonObject;
  /** The decomposition says that it needs more than one call. */
  readonly coarse?: true;
}

/** Literal values of a task. */
export interface TaskValues {
  /** For example `state: open` or `state=open`. */
  readonly named?: Readonly<Record<string, string | number | boolean>>;
  readonly quoted?: readonly string[];
  /** Texts in backticks. */
  readonly code?: readonly string[];
  readonly links?: readonly string[];
  /** Files that the task reads. */
  readonly paths?: readonly string[];
  /** Files that the task writes. */
  readonly outputs?: readonly string[];
  readonly numbers?: readonly number[];
}

/** A sign that a goal is more than a list of orders. */
export interface GoalSignal {
  readonly kind: 'interaction' | 'condition' | 'repetition' | 'sequence' | 'alternative' | 'conjunction';
  /** The words of the sign. */
  readonly words: string;
  /** The clause that holds the words. */
  readonly clause: string;
}

export interface Decomposition {
  /** Empty when the decomposition abstains. */
  readonly tasks: readonly Task[];
  /** The confidence from 0 to 1; 0 when it abstains. */
  readonly confidence: number;
  /** Signals that no splitter has handled. */
  readonly signals: readonly GoalSignal[];
  /** Interpretations beyond the words. */
  readonly notes: readonly string[];
  /** The reason for abstaining. */
  readonly abstained?: string;
}
