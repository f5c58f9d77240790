// The template with a review and an approval, run end to end: a person answers from another process.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunOrder } from '../../src/engine/record/order.schema.ts';
import type { Engine } from '../../src/runtime/api/engine.ts';
import type { RunReport } from '../../src/runtime/api/run-report.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { openSqliteJournal } from '../../src/store/sqlite-journal.ts';
import { root } from '../sources.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reconverge-review-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Each has the store to itself, as a process of its own would. */
async function inProcess<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = createEngine({ folder, journal: openSqliteJournal(join(folder, 'store.db')) });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

function start(): Promise<RunReport> {
  return inProcess(async (engine) => {
    const template = await engine.load(join(root, 'templates/review-then-publish.yaml'));
    if (!template.ok) throw new Error(JSON.stringify(template.error));
    const run = await engine.start(template.value, { input: { folder: join(root, 'templates/data/shop') } });
    if (!run.ok) throw new Error(JSON.stringify(run.error));
    return run.value.done;
  });
}

/** The run goes on where the answer is given. */
function answer(gate: string, verdict: 'approve' | 'reject', why?: string): Promise<RunReport> {
  return inProcess(async (engine) => {
    const order: RunOrder = { type: 'review', gate, verdict, by: 'ann', ...(why === undefined ? {} : { why }) };
    const ordered = await engine.order('latest', order);
    if (!ordered.ok) throw new Error(JSON.stringify(ordered.error));
    if (ordered.value.handle === undefined) throw new Error('nobody drives it, and it was not taken up');
    return ordered.value.handle.done;
  });
}

const reportOf = ({ run }: RunReport): string => join(folder, `reports/${run}.md`);

describe('review-then-publish', () => {
  it('asks once the tables are profiled, asks again before it writes, and then writes', async () => {
    const asked = await start();
    expect(asked).toMatchObject({ status: 'waiting', gates: [{ gate: 'g1', kind: 'review', step: 'agree' }] });
    const agreed = await answer('g1', 'approve', 'checked against the books');
    expect(agreed).toMatchObject({ status: 'waiting', gates: [{ gate: 'g2', kind: 'approval', step: 'publish' }] });
    expect(existsSync(reportOf(agreed))).toBe(false);
    const done = await answer('g2', 'approve');
    expect(done).toMatchObject({ status: 'completed', partial: true, failed: [{ code: 'CSV_BROKEN' }] });
    const text = readFileSync(reportOf(done), 'utf8');
    for (const said of ['checked against the books', 'shipped', 'orders.csv', 'returns.csv:7: 5 fields'])
      expect(text).toContain(said);
  });

  it('adds up the batches to the sums of the whole table', async () => {
    await start();
    await answer('g1', 'approve');
    const text = readFileSync(reportOf(await answer('g2', 'approve')), 'utf8');
    const rows = readFileSync(join(root, 'templates/data/shop/orders.csv'), 'utf8').trim().split('\n').slice(1);
    const paid = rows.filter((row) => row.endsWith(',paid')).length;
    expect(text).toContain(`| paid | ${paid} |`);
  });

  it('writes nothing after a rejection, and reports the person', async () => {
    await start();
    const rejected = await answer('g1', 'reject', 'the returns are missing');
    expect(rejected).toMatchObject({ status: 'failed' });
    expect(rejected.failure?.message).toContain('the returns are missing');
    expect(existsSync(reportOf(rejected))).toBe(false);
  });

  it('can still be rejected at the last gate', async () => {
    await start();
    await answer('g1', 'approve');
    const rejected = await answer('g2', 'reject');
    expect(rejected).toMatchObject({ status: 'failed', failure: { code: 'GATE_REJECTED' } });
    expect(existsSync(reportOf(rejected))).toBe(false);
  });
});
