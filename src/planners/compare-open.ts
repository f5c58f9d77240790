// Compares tasks of a goal with capabilities by embeddings, where words leave open who does them.
import { askEmbeddings, COMPARED } from '../engine/agent/ask-embeddings.ts';
import type { Work } from '../engine/call/call.ts';
import type { EmbeddingsRequest } from '../model/request.ts';
import { openTasks } from '../planning/decompose/plan.ts';
import { comparedText, comparedWith } from '../planning/match/compared.ts';
import type { Alike } from '../planning/match/match.ts';
import { aroundOf, type Planning, type Reading } from './plan-tasks.ts';
import type { Reply } from './planner.ts';

interface ComparedTasks {
  readonly reading: Reading;
  readonly planning: Planning;
}

/** One ask for all tasks. Who cannot be asked is gone without, and that is noted. */
export function* compareOpen(reading: Reading, planning: Planning): Work<ComparedTasks | Reply> {
  const { embeddings, brief, alike: known = new Map() } = planning;
  if (embeddings === undefined) return { reading, planning };
  const open = openTasks(reading.tasks, { ...aroundOf(planning), answers: new Map() });
  const goals = [...new Set(open)].filter((goal) => !known.has(goal)).slice(0, COMPARED.goals);
  if (goals.length === 0) return { reading, planning };
  const told = comparedWith(goals, brief.capabilities, COMPARED.texts);
  const request: EmbeddingsRequest = {
    goals: goals.map(cut),
    texts: told.map((each) => cut(comparedText(each))),
  };
  const compared = yield* askEmbeddings(embeddings, request);
  if (!compared.ok) {
    const { code, message } = compared.failure;
    // What was recorded without it is not what happens now.
    if (code === 'CASSETTE_MISS') return compared;
    return { reading: { ...reading, notes: [...reading.notes, `by words alone: ${message}`] }, planning };
  }
  const alike = new Map<string, Alike>(known);
  goals.forEach((goal, at) => {
    const row = compared.alike[at] ?? [];
    alike.set(
      goal,
      Object.fromEntries(row.flatMap((cosine, index) => (told[index] ? [[told[index].name, cosine]] : []))),
    );
  });
  return { reading, planning: { ...planning, alike } };
}

function cut(text: string): string {
  return text.slice(0, COMPARED.characters).toWellFormed();
}
