// Intents: what is to be done, apart from how: what a goal came apart into, and how each part found who does it.
import type { Issue } from '../base/issue.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../base/json.ts';

/** Goes with a fragment into the journal: the part of the run's intent graph that one planning step brings. */
export interface Intents {
  /** The goal that they are parts of, as the planner was told it. */
  readonly goal: string;
  /** Who took it apart: `pattern`, `intent_first`, `grounded`, or `direct` where a model planned at once. */
  readonly strategy: string;
  /** What the goal looks like, for those who learn from what became of it. */
  readonly shape: string;
  /** Why the strategies were tried in this order, where what has been learned decided it. */
  readonly order?: string;
  /** Strategies that were not sure enough, in order. */
  readonly tried?: readonly Tried[];
  readonly intents: readonly Intent[];
}

export interface Tried {
  readonly strategy: string;
  readonly why: string;
}

export interface Intent {
  readonly says: string;
  readonly shape: string;
  /** The steps of the fragment that serve it; what waits for it waits for the last. */
  readonly steps: readonly string[];
  /** Places of the intents that it depends on. */
  readonly after: readonly number[];
  readonly chosen?: Chosen;
  /** What it says, or has answered, and its steps would drop; paths are empty. */
  readonly issues?: readonly Issue[];
}

interface CandidateTold {
  readonly name: string;
  /** How near its words are to those of the intent, in proportion to the nearest; from 0 to 1. */
  readonly score: number;
  /** How alike the intent and it are, by embeddings. */
  readonly alike?: number;
  /** Why the words of the intent forbid it. */
  readonly veto?: string;
}

/** Who does it, and how they were found. */
export interface Chosen {
  /**
   * `named`: the words, or the planner, name it; `kind`: its kind is for it; `proven`: it has served such an intent before;
   * `model`: a model chose it; `words`: the words of the intent prove it; `person`: a person has said so; `nested`: it is
   * taken apart further; `missing`: nothing served it, and this was looked for; `folded`: it is a parameter of the call that
   * serves the one before it; `ranked`: it served best, in journals of earlier versions.
   */
  readonly by: 'named' | 'kind' | 'proven' | 'model' | 'words' | 'person' | 'nested' | 'missing' | 'folded' | 'ranked';
  readonly capability?: string;
  readonly agent?: string;
  /** How far the best was ahead of the next, in journals of earlier versions. */
  readonly margin?: number;
  /** The best ones, best first. */
  readonly candidates?: readonly CandidateTold[];
  /** What had been learned that counted. */
  readonly learned?: string;
}

/** As a planner of ours wrote it into its fragment; undefined for anything else. */
export function readIntents(value: Json | undefined): Intents | undefined {
  if (!isJsonObject(value) || !isJsonArray(value.intents)) return undefined;
  const { goal, strategy, shape, intents } = value;
  const texts = [goal, strategy, shape].every((each) => typeof each === 'string');
  return texts && intents.every(isIntent) ? (value as unknown as Intents) : undefined;
}

function isIntent(value: Json): boolean {
  if (!isJsonObject(value) || typeof value.says !== 'string') return false;
  if (!isJsonArray(value.steps) || !value.steps.every((name) => typeof name === 'string')) return false;
  return isJsonArray(value.after) && (value.issues === undefined || isIssues(value.issues));
}

function isIssues(value: Json): boolean {
  if (!isJsonArray(value)) return false;
  return value.every(
    (each) =>
      isJsonObject(each) &&
      typeof each.code === 'string' &&
      typeof each.message === 'string' &&
      (each.severity === 'error' || each.severity === 'warning'),
  );
}

/** For a fragment: plain JSON by its making. */
export function intentsJson(intents: Intents): JsonObject {
  return JSON.parse(JSON.stringify(intents)) as JsonObject;
}
