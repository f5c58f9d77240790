// The first template, run end to end by the engine on real folders.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunRecord } from '../../src/runtime/api/run-record.ts';
import type { RunReport } from '../../src/runtime/api/run-report.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { root } from '../sources.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reconverge-recon-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function examine(
  data: string,
  budget: Record<string, string> = {},
): Promise<RunReport & { record: RunRecord; text: string }> {
  const engine = createEngine({ folder, journal: openMemoryJournal() });
  const template = await engine.load(join(root, 'templates/recon-then-execute.yaml'));
  if (!template.ok) throw new Error(JSON.stringify(template.error));
  const run = await engine.start(template.value, { input: { folder: data }, budget });
  if (!run.ok) throw new Error(JSON.stringify(run.error));
  const report = await run.value.done;
  const record = engine.read(run.value.id);
  if (!record.ok) throw new Error(JSON.stringify(record.error));
  return { ...report, record: record.value, text: readFileSync(join(folder, `reports/${run.value.id}.md`), 'utf8') };
}

describe('recon-then-execute', () => {
  it('examines the ragged shop, lets one step fail, and converges in part', async () => {
    const { status, partial, record, text } = await examine(join(root, 'templates/data/shop'));
    expect({ status, partial }).toEqual({ status: 'completed', partial: true });
    const failed = [...record.state.steps.values()]
      .filter((step) => step.status === 'failed')
      .map((step) => step.spec.name);
    expect(failed).toEqual(['sniff_returns']);
    for (const said of ['orders.csv', 'CSV_BROKEN', 'customer_id', 'What was left out', 'it is empty', 'What it cost'])
      expect(text).toContain(said);
  });

  it('plans one step for each readable file, and a key check for two tables with a common column', async () => {
    writeFileSync(join(folder, 'a.csv'), 'user_id,n\nu1,1\nu2,2\n');
    writeFileSync(join(folder, 'b.csv'), 'user_id,m\nu2,5\nu3,6\n');
    const { status, record } = await examine(folder);
    expect(status).toBe('completed');
    const names = [...record.state.steps.values()].map((step) => step.spec.capability);
    expect(names.filter((name) => name === 'csv.sniff')).toHaveLength(2);
    expect(names.filter((name) => name === 'csv.match_keys')).toHaveLength(1);
  });

  it('plans the largest files when a fragment cannot hold all, and names the others', async () => {
    for (let i = 0; i < 30; i++) writeFileSync(join(folder, `f${i}.csv`), `id,n\n${'1,2\n'.repeat(i + 1)}`);
    const { record, text } = await examine(folder);
    const sniffed = [...record.state.steps.values()].filter((step) => step.spec.capability === 'csv.sniff');
    expect(sniffed).toHaveLength(20);
    expect(text).toContain('f0.csv');
    expect(text).toContain('beyond the bound of the plan');
  });

  it('completes on an empty folder without findings', async () => {
    expect(await examine(folder)).toMatchObject({ status: 'completed', text: expect.stringContaining('0 files') });
  });

  it('fails when the folder does not exist, and still writes a report', async () => {
    const { status, failure, text } = await examine('nowhere');
    expect({ status, code: failure?.code }).toEqual({ status: 'failed', code: 'VERIFICATION_FAILED' });
    expect(text).toContain('FILE_NOT_FOUND');
  });

  it('fails when the budget permits no examination', async () => {
    const { status, failure, text } = await examine(join(root, 'templates/data/shop'), { max_total_steps: '4' });
    expect({ status, code: failure?.code }).toEqual({ status: 'failed', code: 'VERIFICATION_FAILED' });
    expect(text).toContain('beyond the bound of the plan');
  });
});
