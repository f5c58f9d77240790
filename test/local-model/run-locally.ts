// Runs templates with the local model behind a relay.
import { expect } from 'vitest';
import { capabilities, profileFor } from '../../bench/models/tasks.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { StartOptions } from '../../src/runtime/api/engine.ts';
import type { RunRecord } from '../../src/runtime/api/run-record.ts';
import type { RunReport } from '../../src/runtime/api/run-report.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { root } from '../sources.ts';
import type { TappedModel } from './tapped.ts';

export interface LocalRun {
  readonly report: RunReport;
  readonly record: RunRecord;
}

export type LocalTemplate = JsonObject & { readonly steps: readonly JsonObject[] };

/** `profile` changes the profile of the local model. */
export async function runLocally(
  { baseUrl, model }: Pick<TappedModel, 'baseUrl' | 'model'>,
  template: LocalTemplate,
  { profile = {}, ...options }: StartOptions & { readonly profile?: JsonObject } = {},
): Promise<LocalRun> {
  const engine = createEngine({ journal: openMemoryJournal(), capabilities, folder: root });
  try {
    const loaded = await engine.load({
      reconverge: 1,
      name: 'local',
      capabilities: ['catalog'],
      models: { default: { ...profileFor({ baseUrl, model, seed: 1 }), ...profile } },
      budget: { max_total_llm_calls: 20 },
      ...template,
    });
    if (!loaded.ok) return expect.fail(JSON.stringify(loaded.error));
    const started = await engine.start(loaded.value, options);
    if (!started.ok) return expect.fail(JSON.stringify(started.error));
    const report = await started.value.done;
    const record = engine.read(report.run);
    if (!record.ok) return expect.fail(JSON.stringify(record.error));
    return { report, record: record.value };
  } finally {
    await engine.close();
  }
}

/** The codes of the failures that a small model may cause. Any other failure is one of ours. */
const codesOfModels = [
  'AGENT_TURNS_EXCEEDED',
  'CONVERGENCE_UNMET',
  'JUDGE_REJECTED',
  'PLAN_CUT_OFF',
  'PLAN_IMPOSSIBLE',
  'PLAN_INVALID',
];

/** Checks that the run came to rest in a way that its model explains, and that every token is accounted for. */
export function expectOrderlyEnd(
  { report }: LocalRun,
  tokens: { readonly input: number; readonly output: number },
): void {
  const codes = report.failed.map(({ code }) => code);
  expect(['completed', 'failed', 'waiting']).toContain(report.status);
  expect(codes.filter((code) => !codesOfModels.includes(code))).toEqual([]);
  expect(report.status === 'failed').toBe(codes.length > 0);
  expect(report.spent).toMatchObject({ tokens_in: tokens.input, tokens_out: tokens.output });
}
