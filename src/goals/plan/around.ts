// What is known where a task is given to somebody, and what comes of that.
import type { Issue } from '../../base/issue.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { PatternSettings } from '../../template/keys/pattern.ts';
import type { CapabilityLine } from '../capability-lines.ts';
import type { Chosen } from '../intent.ts';
import type { Learned } from '../learned.ts';
import type { Alike } from '../match/match.ts';
import type { Task } from '../split/task.ts';
import type { Wanted } from './wanted.ts';

/** A task that is done before another, by the name of its step. */
export interface Earlier {
  readonly name: string;
  readonly task: Task;
  /** It is waited for itself, and not only by what comes between. */
  readonly direct: boolean;
  /** What its call is given. */
  readonly input?: JsonObject;
  /** What the capability that does it answers, where that is known; of a fan-out, a list of that. */
  readonly output?: JsonObject | undefined;
  readonly isFanOut?: boolean;
}

export interface Around {
  readonly capabilities: readonly CapabilityLine[];
  readonly settings: PatternSettings;
  /** What a person has said, by question. */
  readonly answers: ReadonlyMap<string, Json>;
  readonly learned?: Learned | undefined;
  /** What is more than one call can do is taken apart further by a planning step; absent: it is not. */
  readonly deepens?: { readonly goal: string } | undefined;
  /** By the descriptions of tasks that nothing served: what does so all the same. */
  readonly served?: ReadonlyMap<string, CapabilityLine>;
  /** By the descriptions of tasks that words leave open: how alike they and capabilities are. */
  readonly alike?: ReadonlyMap<string, Alike> | undefined;
  /** By the descriptions of tasks: what a model has chosen for them, after the vetoes. */
  readonly choices?: ReadonlyMap<string, Choice> | undefined;
  /** No agent is there for what no capability does. */
  readonly isUnmanned?: boolean;
  /** How many calls a list may become. */
  readonly widest?: number;
  /** How many steps there may be, with those that lists may become. */
  readonly room?: number;
}

/** The answer of a model that was asked who serves a task: a capability with what the task says for it, nobody, or a person's question. */
export type Choice =
  | { readonly kind: 'capability'; readonly name: string; readonly input?: JsonObject }
  | { readonly kind: 'none'; readonly why?: string }
  | { readonly kind: 'ask' };

/** What a person must say before there is a plan; `answer` is a contract. */
export interface OpenQuestion {
  readonly question: string;
  readonly answer: JsonObject;
}

/** The keys of a step that say what it does; or why nobody can do it, and what would help. */
export type Work =
  | {
      readonly step: JsonObject;
      readonly questions: readonly OpenQuestion[];
      readonly chosen?: Chosen;
      /** What was understood beyond the words, and what goes through a list. */
      readonly findings?: readonly string[];
      /** What is said for the call and would be dropped. */
      readonly issues?: readonly Issue[];
      /** The words that leave open who does it. */
      readonly open?: string;
      /** What earlier questions must be answered with, by the names of their steps: contracts. */
      readonly takes?: ReadonlyMap<string, JsonObject>;
    }
  | {
      readonly why: string;
      readonly open?: string;
      /** What would have to do it. */
      readonly wanted?: Wanted;
    };
