// The pattern templates, run end to end by the engine on their data.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import type { RunView } from '../../src/engine/state/run-view.ts';
import type { RunReport } from '../../src/runtime/api/run-report.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { root } from '../sources.ts';

interface Ran {
  readonly report: RunReport;
  readonly state: RunView;
  readonly output: Json;
}

async function runOf(
  template: string,
  input: Json,
  budget: Record<string, string> = {},
  folder: string = root,
): Promise<Ran> {
  const engine = createEngine({ folder, journal: openMemoryJournal() });
  const loaded = await engine.load(join(root, 'templates', template));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  const run = await engine.start(loaded.value, { input, budget });
  if (!run.ok) throw new Error(JSON.stringify(run.error));
  const report = await run.value.done;
  const record = engine.read(run.value.id);
  if (!record.ok) throw new Error(JSON.stringify(record.error));
  return { report, state: record.value.state, output: report.output };
}

const statusOf = ({ state }: Ran, name: string): string | undefined =>
  [...state.steps.values()].find((step) => step.spec.name === name)?.status;

describe('reconcile-payments', () => {
  it('finds the key in recon: three payments match, one does not, and they are $0.50 apart', async () => {
    const ran = await runOf('reconcile-payments.yaml', {});
    expect(ran.report).toMatchObject({ status: 'completed', partial: false });
    expect(ran.output).toEqual({
      reconciled: { key: 'reference', matched: 3, unmatched: ['PAY-1004'], apart: 1, variance: 0.5 },
      failed: [],
      tolerated: [],
    });
    expect(ran.report.spent.replans ?? 0).toBe(0);
  });

  it('replans once when the variance exceeds the threshold, and then completes in part', async () => {
    const ran = await runOf('reconcile-payments.yaml', { threshold: 0.25 });
    expect(ran.report).toMatchObject({ status: 'completed', partial: true, spent: { replans: 1 } });
    expect(statusOf(ran, 'compare')).toBe('failed');
    expect(statusOf(ran, 'compare_net')).toBe('failed');
    expect(ran.output).toMatchObject({ failed: [{ code: 'VERIFICATION_FAILED' }] });
  });

  it('does not plan a comparison when no column is a key of the other file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'reconverge-payments-'));
    try {
      const payments = join(folder, 'templates/data/payments');
      cpSync(join(root, 'templates/data/payments'), payments, { recursive: true });
      writeFileSync(join(payments, 'ledger.csv'), 'entry,payment_ref,booked\n1,X-1,1.00\n2,X-2,2.00\n');
      const ran = await runOf('reconcile-payments.yaml', {}, {}, folder);
      expect(statusOf(ran, 'columns')).toBe('failed');
      expect(ran.report).toMatchObject({ partial: true });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('map-analyze-reduce', () => {
  let ran: Ran;
  beforeAll(async () => {
    ran = await runOf('map-analyze-reduce.yaml', {});
  });

  it.each([
    ['airport', 0, 0],
    ['station', 1_000, 1],
    ['market', 1_001, 2],
    ['harbour', 25_000, 10],
  ])('works on %s with its %i rows in %i batches', (shop, rows, workers) => {
    expect(ran.state.steps.get(`plan_map.1/map_${shop}`)?.expanded).toHaveLength(workers);
    expect(ran.output).toMatchObject({ shops: expect.arrayContaining([{ shop, rows }]) });
  });

  it('continues without the shop whose file is broken, and reports a partial result', () => {
    expect(ran.report).toMatchObject({ status: 'completed', partial: true });
    expect(statusOf(ran, 'rows_castle')).toBe('failed');
    expect(statusOf(ran, 'map_castle')).toBe('skipped');
  });

  it('adds up all units of the files', () => {
    expect(ran.output).toMatchObject({ rows: 27_001 });
  });

  it('fails when most files are broken, because the quorum is not met', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'reconverge-sales-'));
    try {
      for (const shop of ['a', 'b']) writeFileSync(join(folder, `${shop}.csv`), 'product,units\nmug,1\nmug\n');
      writeFileSync(join(folder, 'c.csv'), 'product,units\nmug,1\n');
      const { report } = await runOf('map-analyze-reduce.yaml', { folder });
      expect(report).toMatchObject({ status: 'failed', failure: { code: 'CONVERGENCE_UNMET' } });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('refine-a-draft', () => {
  const scores = ({ output }: Ran): number[] =>
    (output as { rounds: { score: number }[] }).rounds.map(({ score }) => score);

  it('stops as soon as the score is good enough', async () => {
    const ran = await runOf('refine-a-draft.yaml', { target: 80 });
    expect(ran.report.status).toBe('completed');
    expect(scores(ran).filter((score) => score >= 80)).toHaveLength(1);
    expect(scores(ran).at(-1)).toBeGreaterThanOrEqual(80);
  });

  it('stops on a plateau, and returns the best version, not the last', async () => {
    const ran = await runOf('refine-a-draft.yaml', { target: 100, least_gain: -100 });
    const best = Math.max(...scores(ran));
    expect(scores(ran).at(-1)).toBeLessThan(best);
    expect(ran.output).toMatchObject({ best: { score: best } });
    const careful = await runOf('refine-a-draft.yaml', { target: 100, least_gain: 5 });
    expect(scores(careful).length).toBeLessThan(scores(ran).length);
  });

  it.each([{ max_total_planning_phases: '2' }, { max_total_steps: '12' }, { max_planning_depth: '2' }])(
    'stops within the budget %j with the best so far',
    async (budget) => {
      const ran = await runOf('refine-a-draft.yaml', { target: 100 }, budget);
      expect(ran.report.status).toBe('completed');
      expect(scores(ran).length).toBeGreaterThanOrEqual(2);
      expect(ran.output).toMatchObject({ best: { text: expect.any(String), score: Math.max(...scores(ran)) } });
    },
  );
});

describe('triage-refunds', () => {
  it.each([
    ['R-101', 49.9],
    ['R-102', 999.99],
  ])('pays %s (%d) at once: the thorough branch never plans', async (request, paid) => {
    const ran = await runOf('triage-refunds.yaml', { request });
    expect(ran.report).toMatchObject({ status: 'completed', partial: false, output: { request, paid } });
    expect(ran.state.steps.get('plan_triage.1/plan_thorough')?.skipped).toBe('not_chosen');
    expect(statusOf(ran, 'examine')).toBeUndefined();
  });

  it.each([
    ['R-103', 1_000, 'low'],
    ['R-104', 4_999.99, 'high'],
  ])('examines %s (%d) first', async (request, paid, risk) => {
    const ran = await runOf('triage-refunds.yaml', { request });
    expect(ran.report).toMatchObject({ status: 'completed', output: { request, paid, risk } });
    expect(ran.state.steps.get('plan_triage.1/plan_simple')?.skipped).toBe('not_chosen');
  });

  it.each(['R-105', 'R-106'])('asks a person about %s before it pays', async (request) => {
    const ran = await runOf('triage-refunds.yaml', { request });
    expect(ran.report.status).toBe('waiting');
    expect(statusOf(ran, 'approve')).toBe('held');
    expect(statusOf(ran, 'pay')).toBe('waiting');
  });

  it('reports an unknown request', async () => {
    const { report } = await runOf('triage-refunds.yaml', { request: 'R-999' });
    expect(report).toMatchObject({
      status: 'failed',
      failure: { message: expect.stringContaining('there is no request with this id') },
    });
  });
});
