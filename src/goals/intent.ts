// Intents: the parts of a goal, with the steps that serve each part and the way their capability was chosen.
import type { Issue } from '../base/issue.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../base/json.ts';

/** The part of the run's intent graph that one planning step adds; it is stored in the journal with the fragment. */
export interface Intents {
  /** The planner's goal. */
  readonly goal: string;
  /** The strategy that decomposed the goal: `pattern`, `intent_first`, `grounded`, or `direct` when a model planned at once. */
  readonly strategy: string;
  /** The shape of the goal, under which experience is collected. */
  readonly shape: string;
  /** The reason for the order of the strategies, when experience changed it. */
  readonly order?: string;
  /** Strategies that abstained, in order. */
  readonly tried?: readonly PassedStrategy[];
  readonly intents: readonly Intent[];
}

export interface PassedStrategy {
  readonly strategy: string;
  readonly why: string;
}

export interface Intent {
  readonly says: string;
  readonly shape: string;
  /** The fragment's steps that serve the intent; dependents wait for the last one. */
  readonly steps: readonly string[];
  /** The indices of the intents it depends on. */
  readonly after: readonly number[];
  readonly chosen?: PerformerChoice;
  /** Issues for words and answers that its steps do not use; their paths are empty. */
  readonly issues?: readonly Issue[];
}

interface CandidateSummary {
  readonly name: string;
  /** The similarity of words in proportion to the nearest candidate, from 0 to 1. */
  readonly score: number;
  /** The similarity by embeddings. */
  readonly alike?: number;
  /** The reason why the words of the intent forbid it. */
  readonly veto?: string;
}

/** The capability or agent of an intent, and how it was chosen. */
export interface PerformerChoice {
  /**
   * `named`: the goal or the planner names it. `kind`: the settings assign it to the task's kind. `proven`: it served such an
   * intent before. `model`: a model chose it. `words`: the intent's words prove it. `person`: a person chose it. `nested`:
   * a planning step decomposes the intent further. `missing`: it was found or written because nothing served the intent.
   * `folded`: the intent is a parameter of the call before it. `ranked`: it had the best score (journals of earlier versions).
   */
  readonly by: 'named' | 'kind' | 'proven' | 'model' | 'words' | 'person' | 'nested' | 'missing' | 'folded' | 'ranked';
  readonly capability?: string;
  readonly agent?: string;
  /** The lead of the best candidate, in journals of earlier versions. */
  readonly margin?: number;
  /** The best candidates, best first. */
  readonly candidates?: readonly CandidateSummary[];
  /** The experience that counted, in words. */
  readonly learned?: string;
}

/** Reads intents from a fragment; undefined for anything that our planners did not write. */
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

/** The intents as JSON for a fragment. */
export function intentsJson(intents: Intents): JsonObject {
  return JSON.parse(JSON.stringify(intents)) as JsonObject;
}
