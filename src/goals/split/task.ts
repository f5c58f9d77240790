// What a text goal comes apart into: tasks in their order, each of a kind, with what it mentions.
import type { JsonObject } from '../../base/json.ts';
import type { Attachment } from '../../template/keys/attachment.ts';

/** `tool_call`, `processing`, `clarification`, or a kind that the settings name. */
export type Kind = string;

export interface Task {
  /** In the goal's own words, without the connectors around it. */
  readonly description: string;
  readonly kind: Kind;
  /** The order for one item, where the task goes through a list that a task before it brings: "get the order" for "get each order". */
  readonly item?: string;
  /** Words by which only some items of that list are meant: `CSV` of "profile each CSV file". */
  readonly only?: string;
  /** Indices of the tasks that must be done before it begins. */
  readonly after: readonly number[];
  /** Capabilities that it names outright. */
  readonly names: readonly string[];
  readonly parameters: Parameters;
  readonly attachments: readonly Attachment[];
  /** What its step is called; absent: by its words. */
  readonly name?: string;
  /** What it is called with, as whoever took the goal apart says it; may refer to results. */
  readonly input?: JsonObject;
  /** It is more than one call can do, by whoever took the goal apart. */
  readonly coarse?: true;
}

/** What stands in a task word for word; absent: none. */
export interface Parameters {
  /** `state: open` or `state=open`. */
  readonly named?: Readonly<Record<string, string | number | boolean>>;
  readonly quoted?: readonly string[];
  /** In backticks. */
  readonly code?: readonly string[];
  readonly links?: readonly string[];
  /** Files that are there to be read. */
  readonly paths?: readonly string[];
  /** Files that the task is to write. */
  readonly outputs?: readonly string[];
  readonly numbers?: readonly number[];
}

/** Why a goal may be more than a list of orders. */
export interface Signal {
  readonly kind: 'interaction' | 'condition' | 'repetition' | 'sequence' | 'alternative' | 'conjunction';
  /** The words that say so. */
  readonly words: string;
  /** The clause in which they stand. */
  readonly clause: string;
}

export interface Decomposition {
  /** Empty when it abstains. */
  readonly tasks: readonly Task[];
  /** 0 to 1: how sure it is that these are the tasks; 0 when it abstains. */
  readonly confidence: number;
  /** Those that no splitter has accounted for. */
  readonly signals: readonly Signal[];
  /** What was understood beyond the words. */
  readonly notes: readonly string[];
  /** Why it leaves the goal to others. */
  readonly abstained?: string;
}
