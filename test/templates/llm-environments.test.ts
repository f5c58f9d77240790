// The environment "llm" of the templates that plan by rules: a model that plans as the rules do brings what the rules bring.
import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import type { Script } from '../../src/llm/script.ts';
import type { Engine } from '../../src/runtime/api/engine.ts';
import type { RunRecord } from '../../src/runtime/api/run-record.ts';
import type { RunReport } from '../../src/runtime/api/run-report.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { type ModelServer, openModelServer } from '../../src/testing/model-server.ts';
import { root } from '../sources.ts';

const templates = [
  { file: 'reconcile-payments.yaml', input: {} },
  { file: 'refine-a-draft.yaml', input: {} },
  { file: 'map-analyze-reduce.yaml', input: {} },
  { file: 'triage-refunds.yaml', input: {} },
  { file: 'recon-then-execute.yaml', input: { folder: 'templates/data/shop' } },
  { file: 'replan-what-failed.yaml', input: { folder: 'templates/data/branches' } },
];

/** It tells of itself: its time, its run. */
const ownReport = new Set(['recon-then-execute.yaml', 'replan-what-failed.yaml']);

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Ran {
  readonly report: RunReport;
  readonly record: RunRecord;
}

async function ran(file: string, input: JsonObject, server?: ModelServer): Promise<Ran> {
  const surroundings = server === undefined ? {} : { OPENAI_BASE_URL: server.url };
  const engine: Engine = createEngine({ folder: root, journal: openMemoryJournal(), surroundings });
  closing.push(() => engine.close());
  const loaded = await engine.load(join('templates', file), server === undefined ? {} : { environment: 'llm' });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  const started = await engine.start(loaded.value, { input });
  if (!started.ok) throw new Error(JSON.stringify(started.error));
  const report = await started.value.done;
  closing.push(async () => rmSync(join(root, 'reports', `${report.run}.md`), { force: true }));
  const record = engine.read(report.run);
  if (!record.ok) throw new Error(JSON.stringify(record.error));
  return { report, record: record.value };
}

/** The answers of all planners, in order. */
function plansIn({ record }: Ran): readonly Json[] {
  return record.events.flatMap(({ event }) => {
    if (event.type !== 'plan.proposed') return [];
    const { reply } = event;
    return ['value' in reply ? reply.value : (JSON.parse(record.blob(reply.digest) ?? 'null') as Json)];
  });
}

const endings = ({ record }: Ran): readonly string[] =>
  [...record.state.steps.values()].map(({ id, status }) => `${id} ${status}`).sort();

describe('the environment llm', () => {
  it('exists for each template with rule planners, and is tested here', () => {
    const engine = createEngine({ folder: root, journal: openMemoryJournal(), surroundings: {} });
    closing.push(() => engine.close());
    const files = globSync('templates/*.yaml', { cwd: root }).filter((file) => !file.includes('.scenarios.'));
    return Promise.all(
      files.map(async (file) => {
        const usual = await engine.load(file);
        const { ok } = await engine.load(file, { environment: 'llm' });
        const planning = usual.ok ? usual.value.steps.flatMap((step) => step.planning?.planner?.kind ?? []) : [];
        const ruled = planning.length > 0 && !planning.includes('llm');
        expect([file, ok]).toEqual([file, ruled]);
        expect([file, templates.some((each) => file.endsWith(each.file))]).toEqual([file, ruled]);
      }),
    );
  });

  it.each(templates)('asks a model in $file, and the run ends with the same result', async ({ file, input }) => {
    const ruled = await ran(file, input);
    const script: Script = plansIn(ruled).map((json) => ({ reply: { json } }));
    const server = await openModelServer({ script });
    closing.push(() => server.close());
    const modelled = await ran(file, input, server);
    expect(server.unused()).toEqual([]);
    expect(modelled.report.failure).toEqual(ruled.report.failure);
    expect(endings(modelled)).toEqual(endings(ruled));
    expect(modelled.report.spent.llm_calls).toBe(script.length);
    if (!ownReport.has(file)) expect(modelled.report.output).toEqual(ruled.report.output);
    expect(modelled.report).toMatchObject({ status: ruled.report.status, partial: ruled.report.partial });
  });
});
