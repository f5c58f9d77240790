// The context in which a task becomes a step, and the outcome.
import type { Issue } from '../../base/issue.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { PatternSettings } from '../../template/keys/pattern.ts';
import type { CapabilityLine } from '../capability-lines.ts';
import type { Experience } from '../experience.ts';
import type { PerformerChoice } from '../intent.ts';
import type { Similarities } from '../match/match.ts';
import type { Task } from '../split/task.ts';
import type { MissingCapability } from './missing-capability.ts';

/** A task that is done earlier, with the name of its step. */
export interface EarlierTask {
  readonly name: string;
  readonly task: Task;
  /** The later task depends on it directly. */
  readonly direct: boolean;
  /** The input of its call. */
  readonly input?: JsonObject;
  /** The output schema of its capability, when known; for a fan-out, a list of it. */
  readonly output?: JsonObject | undefined;
  readonly isFanOut?: boolean;
}

export interface TaskContext {
  readonly capabilities: readonly CapabilityLine[];
  readonly settings: PatternSettings;
  /** Answers of people, by question. */
  readonly answers: ReadonlyMap<string, Json>;
  readonly learned?: Experience | undefined;
  /** Present when a planning step may decompose a task that needs more than one call. */
  readonly deepens?: { readonly goal: string } | undefined;
  /** Capabilities that were found or written for tasks that nothing served, by description. */
  readonly served?: ReadonlyMap<string, CapabilityLine>;
  /** Embedding similarities for tasks that words leave open, by description. */
  readonly alike?: ReadonlyMap<string, Similarities> | undefined;
  /** Choices of a model after the vetoes, by description of the task. */
  readonly choices?: ReadonlyMap<string, TaskChoice> | undefined;
  /** The tools of agents, as globs, by name; an agent that is not listed has none. */
  readonly agents?: ReadonlyMap<string, readonly string[]> | undefined;
  /** No agent may do tasks without a capability. */
  readonly isUnmanned?: boolean;
  /** The most calls of one fan-out. */
  readonly widest?: number;
  /** The most steps, including the calls of fan-outs. */
  readonly room?: number;
}

/** A model's choice for a task: a capability with its input, none, or a question to a person. */
export type TaskChoice =
  | { readonly kind: 'capability'; readonly name: string; readonly input?: JsonObject }
  | { readonly kind: 'none'; readonly why?: string }
  | { readonly kind: 'ask' };

/** A question that a person must answer before there is a plan; `answer` is a schema. */
export interface OpenQuestion {
  readonly question: string;
  readonly answer: JsonObject;
}

/** The keys of a step that do a task, or the reason why no capability and no agent can do it. */
export type TaskWork =
  | {
      readonly step: JsonObject;
      readonly questions: readonly OpenQuestion[];
      readonly chosen?: PerformerChoice;
      /** Interpretations beyond the words, and fan-outs. */
      readonly findings?: readonly string[];
      /** Issues for words that the call does not use. */
      readonly issues?: readonly Issue[];
      /** The description of a task that words leave open. */
      readonly open?: string;
      /** Schemas for the answers to earlier questions, by the names of their steps. */
      readonly takes?: ReadonlyMap<string, JsonObject>;
    }
  | {
      readonly why: string;
      readonly open?: string;
      /** The capability that would be needed. */
      readonly wanted?: MissingCapability;
    };

/** Above this number, earlier results are summed up. */
const WHOLE_RESULTS = 10;

/** Input from earlier results for a task without a contract: each result whole, or a summary of many. */
export function inputFromEarlier(earlier: readonly EarlierTask[], { sequential }: PatternSettings): JsonObject {
  if (earlier.length === 0) return {};
  if (sequential || earlier.length > WHOLE_RESULTS) return { summary: '{{ summary }}' };
  return { results: Object.fromEntries(earlier.map(({ name }) => [name, `{{ results.${name} }}`])) };
}
