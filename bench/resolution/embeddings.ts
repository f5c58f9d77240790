// Similarities of goals and tools from an embeddings model at an address, requested as planners request them.
import type { Declaration } from '../../src/contract/declaration.ts';
import { MOST_COMPARED } from '../../src/engine/agent/embeddings-tries.ts';
import { comparedText, comparedWith } from '../../src/goals/match/comparison-texts.ts';
import { compareTexts } from '../../src/llm/compare-texts.ts';
import { openaiEmbedder } from '../../src/llm/openai-embedder.ts';
import { boundary } from '../../src/runtime/ports/boundary.ts';
import type { Goal } from './data.ts';
import type { AlikeOf } from './judge.ts';

const PATIENCE = 600_000;
const MODEL = 'all-MiniLM-L6-v2';

/** @throws an error if the server does not answer */
export async function embeddingsAt(
  baseUrl: string,
  declarations: readonly Declaration[],
  goals: readonly Goal[],
): Promise<AlikeOf> {
  const served = { model: MODEL, baseUrl, timeout: PATIENCE };
  const embedder = openaiEmbedder(MODEL, served, boundary(process.env));
  const texts = new Map(declarations.map((each) => [each.name, cut(comparedText(each))]));
  const request = { goals: goals.map(({ text }) => text), texts: [...texts.values()] };
  const compared = await compareTexts(embedder, request, AbortSignal.timeout(PATIENCE));
  if (!compared.ok) throw new Error(compared.error.failure.message);
  const names = [...texts.keys()];
  const rows = new Map(request.goals.map((goal, at) => [goal, compared.value.alike[at] ?? []]));
  return (goal) => {
    // A run compares each goal only with this number of capabilities.
    const told = new Set(comparedWith([goal], declarations, MOST_COMPARED.texts).map(({ name }) => name));
    const row = rows.get(goal) ?? [];
    return Object.fromEntries(names.flatMap((name, at) => (told.has(name) ? [[name, row[at] ?? 0]] : [])));
  };
}

function cut(text: string): string {
  return text.slice(0, MOST_COMPARED.characters).toWellFormed();
}
