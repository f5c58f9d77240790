// Likeness by an embeddings endpoint: it tells apart what words leave alike, and lifts no veto.
import { expect, it } from 'vitest';
import { rankCapabilities } from '../../src/planning/resolve/rank.ts';
import { embedderOf, similarityOf } from '../../src/runtime/similarity.ts';
import { openModelServer } from '../../src/testing/model-server.ts';
import { toolsOf } from '../planning/resolve/catalogue.ts';

const tools = toolsOf(
  'list_runs: List the runs of the build pipeline on the server',
  'list_rows: List rows',
  'delete_runs: Delete the runs of the build pipeline on the server',
);

it('refines the scores of what serves at all', async () => {
  const server = await openModelServer({ key: 'k' });
  try {
    const goal = 'show the pipeline of the build on the server';
    const surroundings = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'k' };
    const compared = await similarityOf(embedderOf('embedder', surroundings), goal, tools);
    if (!compared.ok) throw new Error(compared.failure.message);
    const { similarity } = compared;
    const [bare, refined] = [rankCapabilities(goal, tools), rankCapabilities(goal, tools, { similarity })];
    const score = ({ candidates }: typeof bare, of: string) => candidates.find(({ name }) => name === of)?.score ?? 0;
    expect(score(refined, 'list_runs') - score(refined, 'list_rows')).not.toBe(
      score(bare, 'list_runs') - score(bare, 'list_rows'),
    );
    expect(refined.candidates[0]?.name).toBe('list_runs');
    expect(score(refined, 'delete_runs')).toBe(0);
    expect(server.requests).toMatchObject([{ path: '/v1/embeddings' }]);
  } finally {
    await server.close();
  }
});

it('says why there is none', async () => {
  const server = await openModelServer({ key: 'k' });
  try {
    const surroundings = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'wrong' };
    const compared = await similarityOf(embedderOf('embedder', surroundings), 'x', tools);
    expect(compared.ok).toBe(false);
  } finally {
    await server.close();
  }
});
