// The environment "llm" of the gallery's templates: a model that plans as the rules do brings what the rules bring.
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { openModelServer } from '../../../src/testing/model-server.ts';
import { copyOf, type Ran, runIn } from './run-template.ts';

const templates = [
  'ci-failure',
  'reconcile-statements',
  'incident-timeline',
  'data-migration',
  'comparison-table',
  'repository-map',
];

/** The answers of all planners, in order. */
function plansIn({ record }: Ran<JsonObject>): readonly Json[] {
  return record.events.flatMap(({ event }) => {
    if (event.type !== 'plan.proposed') return [];
    const { reply } = event;
    return ['value' in reply ? reply.value : (JSON.parse(record.blob(reply.digest) ?? 'null') as Json)];
  });
}

describe('the environment llm', () => {
  it.each(templates)('asks a model for each plan of %s, and the run ends with the same result', async (name) => {
    const ruled = await runIn<JsonObject>(copyOf(name), { isApproved: true });
    const script = plansIn(ruled).map((json) => ({ reply: { json } }));
    const server = await openModelServer({ script });
    onTestFinished(() => server.close());
    const modelled = await runIn<JsonObject>(copyOf(name), {
      isApproved: true,
      environment: 'llm',
      surroundings: { OPENAI_BASE_URL: server.url },
    });
    expect(server.unused()).toEqual([]);
    expect(modelled.report).toMatchObject({ status: 'completed' });
    expect(modelled.statuses).toEqual(ruled.statuses);
    expect(modelled.report.spent.llm_calls).toBe(script.length);
    expect({ ...modelled.output, report: '' }).toEqual({ ...ruled.output, report: '' });
  });
});
