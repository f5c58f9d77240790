// Compares open tasks of a goal with capabilities by embeddings.
import type { Failure } from '../base/failure.ts';
import { good, type Result } from '../base/result.ts';
import { askEmbeddings, MOST_COMPARED } from '../engine/agent/embeddings-tries.ts';
import type { Work } from '../engine/record/call.ts';
import { comparedText, comparedWith } from '../goals/match/comparison-texts.ts';
import type { Similarities } from '../goals/match/match.ts';
import { openTasks } from '../goals/plan/plan.ts';
import type { EmbeddingsProfile } from '../model/profile.ts';
import type { EmbeddingsRequest } from '../model/request.ts';
import type { Brief } from '../planning/brief.ts';
import { type PlanningState, taskContextOf } from './plan-tasks.ts';

/** Sends one request for all tasks. When the model is unreachable, planning continues with a note. */
export function* compareOpenTasks(state: PlanningState): Work<Result<PlanningState, Failure>> {
  const { decomposition, planning } = state;
  const { embeddings, brief, alike: known = new Map() } = planning;
  if (embeddings === undefined) return good(state);
  const open = openTasks(decomposition.tasks, { ...taskContextOf(planning), answers: new Map() });
  const goals = [...new Set(open)].filter((goal) => !known.has(goal));
  if (goals.length === 0) return good(state);
  const compared = yield* compareGoals(goals, brief.capabilities, embeddings);
  if (!compared.ok) return compared;
  const { alike, note } = compared.value;
  return good({
    decomposition: note === undefined ? decomposition : { ...decomposition, notes: [...decomposition.notes, note] },
    planning: { ...planning, alike: new Map<string, Similarities>([...known, ...alike]) },
  });
}

interface ComparedGoals {
  /** Similarities by goal; empty without an answer. */
  readonly alike: ReadonlyMap<string, Similarities>;
  /** The reason for a missing answer. */
  readonly note?: string;
}

/** Compares goals and capabilities in one request. A cassette without the request is a failure. */
export function* compareGoals(
  all: readonly string[],
  capabilities: Brief['capabilities'],
  embeddings: EmbeddingsProfile,
): Work<Result<ComparedGoals, Failure>> {
  const goals = all.slice(0, MOST_COMPARED.goals);
  const lines = comparedWith(goals, capabilities, MOST_COMPARED.texts);
  const request: EmbeddingsRequest = {
    goals: goals.map(cut),
    texts: lines.map((each) => cut(comparedText(each))),
  };
  const compared = yield* askEmbeddings(embeddings, request);
  if (!compared.ok) {
    const { code, message } = compared.error;
    return code === 'CASSETTE_MISS' ? compared : good({ alike: new Map(), note: `by words alone: ${message}` });
  }
  const rows = goals.map((goal, at): readonly [string, Similarities] => {
    const row = compared.value[at] ?? [];
    return [
      goal,
      Object.fromEntries(row.flatMap((cosine, index) => (lines[index] ? [[lines[index].name, cosine]] : []))),
    ];
  });
  return good({ alike: new Map(rows) });
}

function cut(text: string): string {
  return text.slice(0, MOST_COMPARED.characters).toWellFormed();
}
