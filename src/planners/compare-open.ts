// Compares open tasks of a goal with capabilities by embeddings.
import { askEmbeddings, MOST_COMPARED } from '../engine/agent/embeddings-tries.ts';
import type { Work } from '../engine/record/call.ts';
import { comparedText, comparedWith } from '../goals/match/compared.ts';
import type { Alike } from '../goals/match/match.ts';
import { openTasks } from '../goals/plan/plan.ts';
import type { EmbeddingsProfile } from '../model/profile.ts';
import type { EmbeddingsRequest } from '../model/request.ts';
import type { Brief } from '../planning/brief.ts';
import { type GoalDecomposition, type PlanningRequest, taskContextOf } from './plan-tasks.ts';
import type { Reply } from './planner.ts';

interface ComparedTasks {
  readonly reading: GoalDecomposition;
  readonly planning: PlanningRequest;
}

/** Sends one request for all tasks. When the model is unreachable, planning continues with a note. */
export function* compareOpen(reading: GoalDecomposition, planning: PlanningRequest): Work<ComparedTasks | Reply> {
  const { embeddings, brief, alike: known = new Map() } = planning;
  if (embeddings === undefined) return { reading, planning };
  const open = openTasks(reading.tasks, { ...taskContextOf(planning), answers: new Map() });
  const goals = [...new Set(open)].filter((goal) => !known.has(goal));
  if (goals.length === 0) return { reading, planning };
  const compared = yield* compareGoals(goals, brief.capabilities, embeddings);
  if ('ok' in compared) return compared;
  const { alike, note } = compared;
  return {
    reading: note === undefined ? reading : { ...reading, notes: [...reading.notes, note] },
    planning: { ...planning, alike: new Map<string, Alike>([...known, ...alike]) },
  };
}

interface ComparedGoals {
  /** Similarities by goal; empty without an answer. */
  readonly alike: ReadonlyMap<string, Alike>;
  /** The reason for a missing answer. */
  readonly note?: string;
}

/** Compares goals and capabilities in one request. A cassette without the request is a failure. */
export function* compareGoals(
  all: readonly string[],
  capabilities: Brief['capabilities'],
  embeddings: EmbeddingsProfile,
): Work<ComparedGoals | Reply> {
  const goals = all.slice(0, MOST_COMPARED.goals);
  const told = comparedWith(goals, capabilities, MOST_COMPARED.texts);
  const request: EmbeddingsRequest = {
    goals: goals.map(cut),
    texts: told.map((each) => cut(comparedText(each))),
  };
  const compared = yield* askEmbeddings(embeddings, request);
  if (!compared.ok) {
    const { code, message } = compared.error;
    return code === 'CASSETTE_MISS'
      ? { ok: false, failure: compared.error }
      : { alike: new Map(), note: `by words alone: ${message}` };
  }
  const rows = goals.map((goal, at): readonly [string, Alike] => {
    const row = compared.value[at] ?? [];
    return [
      goal,
      Object.fromEntries(row.flatMap((cosine, index) => (told[index] ? [[told[index].name, cosine]] : []))),
    ];
  });
  return { alike: new Map(rows) };
}

function cut(text: string): string {
  return text.slice(0, MOST_COMPARED.characters).toWellFormed();
}
