// Whole runs by the Responses API: plan, judge, summary and an agent with tools, recorded and replayed.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { openModelServer } from '../../src/testing/model-server.ts';
import { call, project } from './reconverge.ts';
import { USED, wholeFiles, wholeRun, wholeScript } from './whole-run.ts';

const byResponses = 'api: responses\nreasoning: low\nstream: true';

describe('a whole run by the Responses API', () => {
  it('plans, judges, sums up, calls tools, charges what was used, and is replayed from its cassette', async () => {
    const server = await openModelServer({ script: wholeScript });
    const cwd = project({ 'whole.yaml': wholeRun(server, byResponses), ...wholeFiles });
    const cassette = join(cwd, 'whole.json');
    const recorded = await call(['run', 'whole.yaml', '--record', cassette, '--json'], { cwd });
    expect(recorded).toMatchObject({ code: 0 });
    const { requests } = server;
    expect(new Set(requests.map(({ path }) => path))).toEqual(new Set(['/v1/responses']));
    expect(requests).toHaveLength(6);
    for (const { body } of requests) expect(body).toMatchObject({ store: false, reasoning: { effort: 'low' } });
    // The second turn of the agent holds the encrypted reasoning of the first.
    const items = requests.flatMap(({ body }) => (body as JsonObject).input as JsonObject[]);
    expect(items.filter(({ type }) => type === 'reasoning')).toHaveLength(1);
    const why = await call(['why', 'latest', 'count', '--call', '1.1', '--json'], { cwd });
    expect(why.stdout).toContain('files_list');
    const shown = await call(['why', 'latest', 'count'], { cwd });
    expect(shown.stdout).toContain('files.list');
    expect(shown.stdout).not.toContain('gAAAA');
    const budget = await call(['budget', 'latest', '--json'], { cwd });
    expect(budget.stdout).toContain(String(6 * USED.input));
    await server.close();
    const replayed = await call(['run', 'whole.yaml', '--replay', cassette, '--json'], { cwd });
    expect(replayed).toMatchObject({ code: 0 });
  });

  it('is begun by chat completions where nobody knows better, and goes on by Responses after the first refusal', async () => {
    const server = await openModelServer({ script: wholeScript, like: 'azure' });
    const folder = project({ 'whole.yaml': wholeRun(server), ...wholeFiles });
    const engine = createEngine({ folder, store: join(folder, 'runs.db'), surroundings: {} });
    for (const expected of ['/v1/chat/completions', '/v1/responses']) {
      const template = await engine.load('whole.yaml');
      const begun = template.ok ? await engine.start(template.value) : template;
      if (!begun.ok) return expect.fail(JSON.stringify(begun.error));
      expect((await begun.value.done).status).toBe('completed');
      const paths = server.requests.map(({ path }) => path);
      expect(paths).toContain(expected);
    }
    const refused = server.requests.filter(({ status }) => status !== 200);
    expect(refused.map(({ path }) => path)).toEqual(Array.from({ length: 2 }, () => '/v1/chat/completions'));
    await engine.close();
    await server.close();
  });
});
