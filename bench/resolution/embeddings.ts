// How alike goals and tools are, by an embeddings model that is served at an address.
import type { Declaration } from '../../src/contract/declaration.ts';
import { compareTexts } from '../../src/llm/compare-texts.ts';
import { openaiEmbedder } from '../../src/llm/openai-embedder.ts';
import { likenessText } from '../../src/planning/resolve/rank.ts';
import { boundary } from '../../src/runtime/boundary.ts';
import type { Goal } from './data.ts';
import type { AlikeOf } from './judge.ts';

const PATIENCE = 120_000;
const MODEL = 'all-MiniLM-L6-v2';

/** @throws an error if the server does not answer */
export async function embeddingsAt(
  baseUrl: string,
  declarations: readonly Declaration[],
  goals: readonly Goal[],
): Promise<AlikeOf> {
  const served = { model: MODEL, baseUrl, timeout: PATIENCE };
  const embedder = openaiEmbedder(MODEL, served, boundary(process.env));
  const request = { goals: goals.map(({ text }) => text), texts: declarations.map(likenessText) };
  const compared = await compareTexts(embedder, request, AbortSignal.timeout(PATIENCE));
  if (!compared.ok) throw new Error(compared.failure.message);
  const rows = new Map(
    request.goals.map((goal, at) => {
      const cosines = declarations.map(({ name }, index) => [name, compared.alike[at]?.[index] ?? 0]);
      return [goal, Object.fromEntries(cosines)];
    }),
  );
  return (goal) => rows.get(goal);
}
