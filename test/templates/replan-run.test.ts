// The template whose planner repairs its own plan, run end to end: what failed is done otherwise, what succeeded is kept.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunRecord } from '../../src/runtime/api/run-record.ts';
import type { RunReport } from '../../src/runtime/api/run-report.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { openSqliteJournal } from '../../src/store/sqlite-journal.ts';
import { root } from '../sources.ts';

const branches = join(root, 'templates/data/branches');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reconverge-replan-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function check(data: string): Promise<RunReport & { record: RunRecord; text: string }> {
  const engine = createEngine({ folder, journal: openSqliteJournal(join(folder, 'store.db')) });
  const template = await engine.load(join(root, 'templates/replan-what-failed.yaml'));
  if (!template.ok) throw new Error(JSON.stringify(template.error));
  const run = await engine.start(template.value, { input: { folder: data } });
  if (!run.ok) throw new Error(JSON.stringify(run.error));
  const report = await run.value.done;
  const record = engine.read(run.value.id);
  if (!record.ok) throw new Error(JSON.stringify(record.error));
  await engine.close();
  const text = report.status === 'completed' ? readFileSync(join(folder, `reports/${report.run}.md`), 'utf8') : '';
  return { ...report, record: record.value, text };
}

/** Counts the attempts of the steps with this name. */
function calls({ events }: RunRecord, name: string): number {
  return events.filter(({ event }) => event.type === 'attempt.started' && event.step.endsWith(`/${name}`)).length;
}

describe('replan-what-failed', () => {
  it('replans the failed check with another column, and completes', async () => {
    const { status, partial, record, text } = await check(branches);
    expect({ status, partial }).toEqual({ status: 'completed', partial: false });
    expect(record.state.steps.get('plan_checks.1/visits')).toMatchObject({
      status: 'failed',
      failure: { code: 'VERIFICATION_FAILED' },
      takenUp: 'plan_checks~2',
    });
    expect(record.state.steps.get('plan_checks~2.1/visits')?.status).toBe('completed');
    expect(record.state.steps.get('report')?.convergence?.convergence).toMatchObject({ expected: 3, succeeded: 3 });
    expect(text.match(/^\| .*\.csv \|/gm)).toHaveLength(3);
  });

  it('does not repeat successful calls', async () => {
    const { record } = await check(branches);
    expect([calls(record, 'orders'), calls(record, 'tickets'), calls(record, 'visits')]).toEqual([1, 1, 2]);
    const adopted = record.events.filter(({ event }) => event.type === 'step.adopted');
    expect(adopted).toHaveLength(2);
  });

  it('repairs nothing when the first guess is right', async () => {
    cpSync(branches, join(folder, 'data'), { recursive: true });
    writeFileSync(join(folder, 'data/visits.csv'), 'visit,customer_id\nV1,C102\n');
    const { status, record } = await check(join(folder, 'data'));
    expect(status).toBe('completed');
    expect([...record.state.steps.keys()].filter((id) => id.includes('~'))).toEqual([]);
  });

  it('fails when no column of a table has known customers', async () => {
    cpSync(branches, join(folder, 'data'), { recursive: true });
    writeFileSync(join(folder, 'data/visits.csv'), 'visit,customer_id,customer\nV1,88012,X1\n');
    const { status, failure } = await check(join(folder, 'data'));
    expect({ status, code: failure?.code }).toEqual({ status: 'failed', code: 'CONVERGENCE_UNMET' });
  });
});
