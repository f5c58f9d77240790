// Compares tasks of a goal with capabilities by embeddings, where words leave open who does them.
import { askEmbeddings, COMPARED } from '../engine/agent/ask-embeddings.ts';
import type { Work } from '../engine/call/call.ts';
import type { EmbeddingsRequest } from '../model/request.ts';
import type { Brief } from '../planning/brief.ts';
import { openTasks } from '../planning/decompose/plan.ts';
import { type Alike, matchGoal } from '../planning/match/match.ts';
import { wordsOfName } from '../planning/match/terms.ts';
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
  const told = comparedWith(goals, brief.capabilities);
  const request: EmbeddingsRequest = {
    goals: goals.map(cut),
    texts: told.map(({ name, description }) => cut(`${wordsOfName(name).join(' ')}: ${description}`)),
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

/** Embeddings find what words do not reach: all capabilities, those that words come near first where there are too many. */
function comparedWith(goals: readonly string[], capabilities: Brief['capabilities']): Brief['capabilities'] {
  if (capabilities.length <= COMPARED.texts) return capabilities;
  const near = goals.flatMap((goal) =>
    matchGoal(goal, capabilities)
      .candidates.slice(0, NEAREST)
      .map(({ name }) => name),
  );
  const kept = new Set([...new Set([...near, ...capabilities.map(({ name }) => name)])].slice(0, COMPARED.texts));
  return capabilities.filter(({ name }) => kept.has(name));
}

const NEAREST = 20;

function cut(text: string): string {
  return text.slice(0, COMPARED.characters).toWellFormed();
}
