// profile-folder-over-mcp.yaml, run end to end over its real server.
import { delimiter, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { root } from '../sources.ts';

async function runOf(input: object) {
  const PATH = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const engine = createEngine({ folder: root, journal: openMemoryJournal(), surroundings: { ...process.env, PATH } });
  onTestFinished(() => engine.close());
  const loaded = await engine.load('templates/profile-folder-over-mcp.yaml');
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  expect(loaded.warnings).toEqual([]);
  const run = await engine.start(loaded.value, { input: { ...input } });
  if (!run.ok) throw new Error(JSON.stringify(run.error));
  return run.value.done;
}

it('profiles each table of the folder, and tolerates an empty one', async () => {
  const report = await runOf({});
  expect(report).toMatchObject({ status: 'completed', partial: true });
  expect(report.output).toMatchObject({
    tables: [
      { file: 'customers.csv', rows: 24 },
      { file: 'orders.csv', rows: 60, columns: expect.arrayContaining(['order_id', 'total']) },
      { file: 'returns.csv', rows: 7 },
      { file: 'suppliers.csv', rows: 4 },
    ],
    others: ['app_log', 'events_jsonl', 'products_json', 'thumbnails_bin'],
  });
});

it('fails on a folder that the server does not serve', async () => {
  const report = await runOf({ folder: '../../src' });
  expect(report).toMatchObject({ status: 'failed', failure: { code: 'VERIFICATION_FAILED' } });
  expect(report.failure?.message).toContain('no table could be read');
});
